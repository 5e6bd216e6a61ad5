import * as z from "zod";
import { dateOf } from "../../../../kernel/clock.ts";
import { ProviderError } from "../../../../ports/provider-faults.ts";
import type { FoundDocument } from "../connection.ts";
import type { SettingsOf } from "../settings.ts";
import type { ReadDocument } from "./provider.ts";

/** Requests a path below the repository's and parses the response. */
export type Get = <T>(schema: z.ZodType<T>, path: string) => Promise<T>;
/** Sends a GraphQL query, because only GraphQL has discussions. */
export type Query = <T>(schema: z.ZodType<T>, query: string, variables: Record<string, unknown>) => Promise<T>;

export interface GitHub {
  get: Get;
  query: Query;
  settings: SettingsOf<"code_host">;
}

/** A page of a list, with the position of the next one, if any. */
interface Listed {
  found: FoundDocument[];
  next?: string | number;
}

const PAGE = 100;
/** Maximum pages of comments on one issue, pull request or discussion; later ones are left out. */
const MAX_ANSWER_PAGES = 20;

const Author = z.object({ login: z.string() }).nullish();
const Issue = z.object({
  number: z.number(),
  title: z.string(),
  state: z.string(),
  html_url: z.string(),
  body: z.string().nullish(),
  user: Author,
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])).default([]),
  comments: z.number().default(0),
  created_at: z.string(),
  updated_at: z.string(),
  pull_request: z.object({}).nullish(),
});
const Comment = z.object({
  body: z.string().nullish(),
  user: Author,
  created_at: z.string(),
  path: z.string().optional(),
});

const PageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });
const Reply = z.object({ body: z.string(), createdAt: z.string(), author: Author });
const Discussion = z.object({ number: z.number(), title: z.string(), url: z.string(), updatedAt: z.string() });
const errors = z.array(z.object({ type: z.string().optional(), message: z.string() })).optional();
const ofRepository = <Field extends z.ZodObject>(field: Field) =>
  z.object({ errors, data: z.object({ repository: field.nullable() }).nullish() });
const Discussions = ofRepository(
  z.object({ discussions: z.object({ nodes: z.array(Discussion), pageInfo: PageInfo }) }),
);
const DiscussionComment = Reply.extend({
  isAnswer: z.boolean().optional(),
  replies: z.object({ nodes: z.array(Reply) }),
});
const OneDiscussion = ofRepository(
  z.object({
    discussion: Discussion.extend({
      ...Reply.shape,
      category: z.object({ name: z.string() }).nullish(),
      comments: z.object({ nodes: z.array(DiscussionComment), pageInfo: PageInfo }),
    }).nullable(),
  }),
);

const LIST_QUERY = `query ($owner: String!, $repo: String!, $after: String) {
  repository(owner: $owner, name: $repo) {
    discussions(first: ${PAGE}, after: $after, orderBy: {field: CREATED_AT, direction: ASC}) {
      nodes { number title url updatedAt }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;
const READ_QUERY = `query ($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    discussion(number: $number) {
      number title url updatedAt createdAt body author { login } category { name }
      comments(first: 50, after: $after) {
        nodes { body createdAt isAnswer author { login } replies(first: 50) { nodes { body createdAt author { login } } } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`;

/** Issues and pull requests, which GitHub lists as issues too, oldest first so that none moves to another page. */
export async function listIssues({ get, settings }: GitHub, page: number): Promise<Listed> {
  const query = new URLSearchParams({
    state: "all",
    sort: "created",
    direction: "asc",
    per_page: `${PAGE}`,
    page: `${page}`,
  });
  const issues = await get(z.array(Issue), `/issues?${query}`);
  const found = issues
    .filter(({ pull_request }) => settings.include.includes(pull_request ? "pull_requests" : "issues"))
    .map(({ number, updated_at, pull_request }) => ({
      external_id: nameOf(settings, pull_request ? "pull" : "issues", number),
      version: updated_at,
      hint: { kind: pull_request ? "pull" : "issues", number },
    }));
  return issues.length === 0 ? { found } : { found, next: page + 1 };
}

export async function listDiscussions({ query, settings }: GitHub, after: string | undefined): Promise<Listed> {
  const answer = await query(Discussions, LIST_QUERY, { after: after ?? null });
  const discussions = answer.data?.repository?.discussions;
  if (!discussions) throw discussionsRefused(answer.errors);
  const found = discussions.nodes.map(({ number, updatedAt }) => ({
    external_id: nameOf(settings, "discussions", number),
    version: updatedAt,
    hint: { kind: "discussions", number },
  }));
  const { hasNextPage, endCursor } = discussions.pageInfo;
  return hasNextPage && endCursor !== null ? { found, next: endCursor } : { found };
}

/** Whether the settings include conversations of a document's kind. */
export function isIncluded({ include }: GitHub["settings"], { hint }: FoundDocument): boolean {
  return include.includes(hint.kind === "pull" ? "pull_requests" : hint.kind === "issues" ? "issues" : "discussions");
}

function nameOf({ owner, repo }: GitHub["settings"], kind: string, number: number): string {
  return `${owner}/${repo}/${kind}/${number}`;
}

function discussionsRefused(problems: z.infer<typeof errors>): ProviderError {
  return new ProviderError(
    `GitHub refuses to show the discussions${problems ? `: ${problems[0]?.type ?? "error"}` : ""}.`,
  );
}

/** An issue, a pull request or a discussion with all its answers as Markdown, in order. */
export function readConversation(github: GitHub, { hint }: FoundDocument): Promise<ReadDocument | "gone"> {
  const number = Number(hint.number);
  return hint.kind === "discussions" ? readDiscussion(github, number) : readIssue(github, number, hint.kind === "pull");
}

async function readIssue({ get }: GitHub, number: number, isPull: boolean): Promise<ReadDocument> {
  const issue = await get(Issue, `/issues/${number}`);
  const comments = issue.comments > 0 ? await commentsOf(get, `/issues/${number}/comments`) : [];
  const reviews = isPull ? await commentsOf(get, `/pulls/${number}/comments`) : [];
  const answers = [...comments, ...reviews].sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
  const labels = issue.labels.flatMap((label) => (typeof label === "string" ? label : (label.name ?? [])));
  const kind = isPull ? "pull request" : "issue";
  return toDocument({
    title: `#${issue.number} ${issue.title}`,
    url: issue.html_url,
    head: [`${issue.state} ${kind} by ${nameOfAuthor(issue.user)}`, ...(labels.length > 0 ? [labels.join(", ")] : [])],
    body: issue.body,
    answers: answers.map(({ user, created_at, body, path }) => ({
      heading: `${nameOfAuthor(user)}, ${dateOf(created_at)}${path === undefined ? "" : `, on ${path}`}`,
      body,
    })),
    metadata: { kind, number: issue.number, state: issue.state, opened: dateOf(issue.created_at) },
  });
}

async function commentsOf(get: Get, path: string): Promise<z.infer<typeof Comment>[]> {
  const comments: z.infer<typeof Comment>[] = [];
  for (let page = 1; page <= MAX_ANSWER_PAGES; page++) {
    const part = await get(z.array(Comment), `${path}?per_page=${PAGE}&page=${page}`);
    if (part.length === 0) break;
    comments.push(...part);
  }
  return comments;
}

async function readDiscussion({ query }: GitHub, number: number): Promise<ReadDocument | "gone"> {
  const answers: { heading: string; body: string }[] = [];
  let after: string | null = null;
  for (let page = 1; ; page++) {
    const answer: z.infer<typeof OneDiscussion> = await query(OneDiscussion, READ_QUERY, { number, after });
    const discussion = answer.data?.repository?.discussion;
    if (!discussion) {
      if (answer.errors?.some(({ type }) => type !== "NOT_FOUND")) throw discussionsRefused(answer.errors);
      return "gone";
    }
    for (const { isAnswer, replies, ...comment } of discussion.comments.nodes) {
      answers.push(answerOf(comment, isAnswer ? ", the answer" : ""), ...replies.nodes.map((reply) => answerOf(reply)));
    }
    const { hasNextPage, endCursor } = discussion.comments.pageInfo;
    after = endCursor;
    if (hasNextPage && after !== null && page < MAX_ANSWER_PAGES) continue;
    const { title, url, author, category, body, createdAt } = discussion;
    return toDocument({
      title: `#${number} ${title}`,
      url,
      head: [`discussion by ${nameOfAuthor(author)}`, ...(category ? [category.name] : [])],
      body,
      answers,
      metadata: { kind: "discussion", number, opened: dateOf(createdAt) },
    });
  }
}

function answerOf({ author, createdAt, body }: z.infer<typeof Reply>, mark = "") {
  return { heading: `${nameOfAuthor(author)}, ${dateOf(createdAt)}${mark}`, body };
}

interface Conversation extends Pick<ReadDocument, "metadata"> {
  title: string;
  url: string;
  head: string[];
  body: string | null | undefined;
  answers: { heading: string; body?: string | null | undefined }[];
}

function toDocument({ head, body, answers, ...document }: Conversation): ReadDocument {
  const parts = [
    `# ${document.title}`,
    head.join(" · "),
    body?.trim() ?? "",
    ...answers
      .filter((answer) => answer.body?.trim())
      .map((answer) => `## ${answer.heading}\n\n${answer.body?.trim()}`),
  ];
  return { ...document, content: { text: parts.filter((part) => part !== "").join("\n\n") } };
}

function nameOfAuthor(author: z.infer<typeof Author>): string {
  return author?.login ?? "ghost";
}
