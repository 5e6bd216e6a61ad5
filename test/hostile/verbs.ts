import { booster } from "../../functions/search/boosts.ts";
import { analyseQuery } from "../../functions/search/query.ts";
import { attachment, plainFileName } from "../../functions/sessions/export/file-name.ts";
import { blocksOf, renderPdf } from "../../functions/sessions/export/pdf.ts";
import { jsonOf, markdownOf } from "../../functions/sessions/export/text.ts";
import type { Transcript } from "../../functions/sessions/export/transcript.ts";
import { setParagraph } from "../../functions/sessions/export/typeset.ts";
import { ExpressionError, parseExpression } from "../../functions/skills/expressions.ts";
import { answeringTask, triggeredBy, unsupportedNumbers } from "../../shared/domain/agents/answering.ts";
import { readSkillFile } from "../../shared/domain/agents/skills/folders/skill-file.ts";
import { findCommands } from "../../shared/domain/agents/skills/procedures/patterns.ts";
import { findProcedures } from "../../shared/domain/agents/skills/procedures.ts";
import { normalizeForComparison } from "../../shared/domain/agents/skills/records.ts";
import { fillSlots } from "../../shared/domain/agents/skills/slots.ts";
import { pack } from "../../shared/domain/compression/algorithms/gzip.ts";
import { ALGORITHMS, type AlgorithmName } from "../../shared/domain/compression/algorithms/index.ts";
import { measureText } from "../../shared/domain/compression/benchmarks.ts";
import { readCondensable } from "../../shared/domain/compression/condensing/condense.ts";
import { fold } from "../../shared/domain/compression/condensing/fold.ts";
import { ENGLISH_WORDS } from "../../shared/domain/compression/condensing/function-words.ts";
import { readPassage as readLines } from "../../shared/domain/compression/condensing/passage.ts";
import { retentionOf, weighTerms } from "../../shared/domain/compression/condensing/salience.ts";
import { shorten } from "../../shared/domain/compression/condensing/shorten.ts";
import { loadTokenCounter, stretches } from "../../shared/domain/compression/condensing/tokens.ts";
import { cutToTokens } from "../../shared/domain/compression/cut.ts";
import { compress, compressWith } from "../../shared/domain/compression/engine.ts";
import { condenseTo, keyPointsOf } from "../../shared/domain/compression/gist.ts";
import { withoutLinks } from "../../shared/domain/identity/mail.ts";
import { MAX_PASSWORD_LENGTH, weaknessOf } from "../../shared/domain/identity/password-rules.ts";
import { normalizeEmail } from "../../shared/domain/identity/users.ts";
import { email } from "../../shared/domain/identity/wire.ts";
import { toSnakeCase } from "../../shared/domain/integration/compat/filters.ts";
import { messagesOf } from "../../shared/domain/integration/transfers/reading/conversations.ts";
import { UnreadableImportError } from "../../shared/domain/integration/transfers/reading/entry.ts";
import { rowsOfMarkdown } from "../../shared/domain/integration/transfers/reading/markdown.ts";
import { readEntries } from "../../shared/domain/integration/transfers/reading/read-entries.ts";
import { toCsvLine } from "../../shared/domain/integration/transfers/rows/csv-cells.ts";
import { ImportRow } from "../../shared/domain/integration/transfers/rows/row.ts";
import { problemOfHeader } from "../../shared/domain/integration/webhooks/signing.ts";
import { type Block, toMarkdown } from "../../shared/domain/knowledge/connections/providers/notion-markdown.ts";
import { propertiesAsText } from "../../shared/domain/knowledge/connections/providers/notion-properties.ts";
import { parseRobots } from "../../shared/domain/knowledge/connections/providers/robots.ts";
import { lineOf, readable } from "../../shared/domain/knowledge/connections/providers/slack-messages.ts";
import { chunksOf } from "../../shared/domain/knowledge/sources/chunking.ts";
import { readCalendar } from "../../shared/domain/knowledge/sources/extraction/calendar.ts";
import { decodeText } from "../../shared/domain/knowledge/sources/extraction/charset.ts";
import { readCsv } from "../../shared/domain/knowledge/sources/extraction/csv.ts";
import { detectCharset } from "../../shared/domain/knowledge/sources/extraction/detect-charset.ts";
import { flattenHtml } from "../../shared/domain/knowledge/sources/extraction/flatten.ts";
import { readHtml } from "../../shared/domain/knowledge/sources/extraction/html.ts";
import { readJson, readNotebook } from "../../shared/domain/knowledge/sources/extraction/json.ts";
import { readLinks } from "../../shared/domain/knowledge/sources/extraction/links.ts";
import { withPlainLetters } from "../../shared/domain/knowledge/sources/extraction/right-to-left.ts";
import { readSitemap } from "../../shared/domain/knowledge/sources/extraction/sitemap.ts";
import { readSubtitles } from "../../shared/domain/knowledge/sources/extraction/subtitles.ts";
import { UnreadableError } from "../../shared/domain/knowledge/sources/extraction/unreadable.ts";
import { readXmlDocument } from "../../shared/domain/knowledge/sources/extraction/xml-document.ts";
import { fileName } from "../../shared/domain/knowledge/sources/file-names.ts";
import { loadNameFinder } from "../../shared/domain/knowledge/sources/names.ts";
import { beginsSection, Structure } from "../../shared/domain/knowledge/sources/structure.ts";
import { OutlineTaker, summaryTask } from "../../shared/domain/knowledge/sources/summary.ts";
import { CONTEXT_CHARACTERS, categorize, partsOf } from "../../shared/domain/memory/conversation.ts";
import { timeSaidOf } from "../../shared/domain/memory/duplicates.ts";
import { extract } from "../../shared/domain/memory/extraction.ts";
import { placeFacts } from "../../shared/domain/memory/facts/timeline/timeline.ts";
import { answersIn, inferenceTask } from "../../shared/domain/memory/inference.ts";
import { leaveForLater } from "../../shared/domain/memory/understand.ts";
import { createBuiltInModel } from "../../shared/domain/models/built-in-model.ts";
import { jsonObjectsIn } from "../../shared/domain/models/lenient-json.ts";
import { createLexicalEmbedder } from "../../shared/domain/models/lexical-embedder.ts";
import { piecesOf } from "../../shared/domain/models/vectors.ts";
import { highlighter } from "../../shared/domain/retrieval/highlight.ts";
import { withoutNames } from "../../shared/domain/retrieval/query-vector.ts";
import { asksAssistant, endsAsQuestion, featuresOf } from "../../shared/domain/retrieval/ranking/features.ts";
import { capitalizedIn } from "../../shared/domain/retrieval/ranking/names.ts";
import { restatementsAmong } from "../../shared/domain/retrieval/ranking/restated.ts";
import { holdsValue } from "../../shared/domain/retrieval/recall/held-values.ts";
import { onOneLine } from "../../shared/domain/retrieval/recall/line.ts";
import { opensWithReference } from "../../shared/domain/retrieval/recall/references.ts";
import { checkQuery } from "../../shared/domain/retrieval/run-search.ts";
import { inLanguage } from "../../shared/domain/sessions/frames.ts";
import { isLastingInstruction } from "../../shared/domain/sessions/lasting-instructions.ts";
import { wordsTest } from "../../shared/domain/sessions/message-records.ts";
import { outline } from "../../shared/domain/sessions/outline.ts";
import { acceptedOffer, isToDo, mostAlike, stillPending, withoutOne } from "../../shared/domain/sessions/requests.ts";
import { closed, parseSummaryLines, summarySentencesOf } from "../../shared/domain/sessions/sentences.ts";
import { polarityOf, sentimentTask } from "../../shared/domain/sessions/sentiment.ts";
import type { SessionMessage } from "../../shared/domain/sessions/session.ts";
import { NOTHING_SAID, readByRule } from "../../shared/domain/sessions/state.ts";
import { gistOf, summarize, transcriptOf } from "../../shared/domain/sessions/summary.ts";
import { topicsOf } from "../../shared/domain/sessions/topics.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { toEventTime } from "../../shared/kernel/event-time.ts";
import { looksLike } from "../../shared/kernel/ids.ts";
import { excerpt, inPieces, normalized, sentenceCase, trimmedEnd } from "../../shared/kernel/strings.ts";
import { withBrackets } from "../../shared/kernel/text/brackets.ts";
import { exactForm, foldAccents } from "../../shared/kernel/text/fold.ts";
import { normalizedName } from "../../shared/kernel/text/normalized-name.ts";
import { asItem, asLine, neutralized } from "../../shared/kernel/text/prompt-text.ts";
import { analyse, firstTerm, queryTerms, spaced, stem, termOf, wordSet, words } from "../../shared/kernel/text/text.ts";
import { textToIndex } from "../../shared/kernel/text/text-to-index.ts";
import { quantitiesIn } from "../../shared/language/asserted/quantities.ts";
import { annotateDates } from "../../shared/language/dates/annotate.ts";
import { numberIn, tokenize } from "../../shared/language/dates/tokens.ts";
import { foreignTokens } from "../../shared/language/facts/foreign-tokens.ts";
import { readFacts } from "../../shared/language/facts/read-facts.ts";
import { rowsOf } from "../../shared/language/facts/rows.ts";
import { isSameValue, termsOf } from "../../shared/language/facts/similarity.ts";
import { loadLemmatizer } from "../../shared/language/facts/verb-group.ts";
import { isInQuotes } from "../../shared/language/facts/words.ts";
import { languageOf } from "../../shared/language/languages/detect.ts";
import { Query } from "../../shared/language/questions/query.ts";
import { isAboutPast, isPolar, questionTimeOf } from "../../shared/language/questions/question-time.ts";
import { saysBeginning } from "../../shared/language/questions/slot-words.ts";
import { windowsOf } from "../../shared/language/reader/windows.ts";
import { findSecrets } from "../../shared/language/secrets/find-secrets.ts";
import { redact, restore, secretsNamedIn } from "../../shared/language/secrets/redact.ts";
import type { Observation } from "../../shared/language/slots/fact.ts";
import { slotKey } from "../../shared/language/slots/slot-key.ts";
import { support } from "../../shared/language/statements/alignment.ts";
import { afterCourtesy, isAnswer, isCourtesy } from "../../shared/language/statements/courtesy.ts";
import { datesWithin } from "../../shared/language/statements/dates.ts";
import { foreignNamesIn } from "../../shared/language/statements/foreign-names.ts";
import { carriesData, isForeignRequest, isQuestion } from "../../shared/language/statements/moods.ts";
import { readPassage, SentenceCutter } from "../../shared/language/statements/passage.ts";
import { recalledIn, withoutRecalled } from "../../shared/language/statements/recalled.ts";
import { withSpeakers } from "../../shared/language/statements/said-by.ts";
import {
  denies,
  isSameStatement,
  isSubsumedBy,
  saysInTheSameTerms,
  wordsSaid,
} from "../../shared/language/statements/same-statement.ts";
import { readableText } from "../../shared/language/statements/spans.ts";
import { readBlocks } from "../../shared/language/statements/structure.ts";
import { loadTagger } from "../../shared/language/statements/tagging.ts";
import { delimitedRanges, markersIn, quotationAt } from "../../shared/language/statements/voice/delimited.ts";
import { chunksOf as wordChunksOf } from "../../shared/language/words/chunks.ts";
import { indexedIn, indexTerms, queryKeywords } from "../../shared/language/words/keywords.ts";
import { sentenceSegments, wordSegments } from "../../shared/language/words/segments.ts";
import { isFuzzy, spellingsOf } from "../../shared/language/words/spellings.ts";
import { parseLine } from "../../shared/ports/log-line.ts";
import type { SearchSource } from "../../shared/ports/search-index.ts";
import { parseUrlEncoded } from "../../shared/runtime/http/request.ts";
import { parseJson } from "../../shared/runtime/schemas/validate.ts";

const candidateOf = (content: string) => {
  const document = { id: "mem_1", content, metadata: {}, session_id: "s", created_at: NOW } as unknown as SearchSource;
  return { id: "mem_1", document, score: 0, semanticScore: 0.5, keywordScore: 0, meaning: 0 };
};
const NOW = "2026-01-02T03:04:05.000Z";
const observationOf = (value: string): Observation => ({
  ...{ id: value.slice(-9), memory_id: "mem_1", subject: "user", attribute: "likes", cardinality: "multiple", value },
  ...{ act: "state", confidence: 0.8, span: { start: 0, end: 1 }, observed_at: NOW },
});
const NO_ENTITY = { created_at: NOW, facts: [], entities: [] };
const tokens = await loadTokenCounter();
const model = createBuiltInModel();
const embedder = createLexicalEmbedder();

/** Processes a text; a refusal takes no longer than an acceptance. */
type Verb = (text: string) => unknown;

const compressions: Record<string, Verb> = Object.fromEntries(
  (Object.keys(ALGORITHMS) as AlgorithmName[]).map((algorithm) => [
    `compress by ${algorithm}`,
    (text) => compress(text, { algorithm }),
  ]),
);

/** Passes over people's text, by the names of the functions that make them. */
export const VERBS: Record<string, Verb> = {
  ...compressions,
  findSecrets,
  redact,
  secretsNamedIn: (text) => secretsNamedIn(text, redact(text).secrets),
  restore: (text) => restore(redact(text).text, redact(text).secrets),
  quantitiesIn,
  holdsValue: (text) => holdsValue(text, "amount", new Set()),
  parseUrlEncoded: (text) => refusable(() => parseUrlEncoded(text, "application/x-www-form-urlencoded")),
  compress: (text) => compress(text),
  compressWith: (text) => compressWith(tokens, text, { mode: "extract" }),
  asksAssistant: (text) => asksAssistant(new Query(text)),
  endsAsQuestion,
  isAboutPast: (text) => isAboutPast(new Query(text)),
  opensWithReference,
  saysBeginning: (text) => saysBeginning(text, "lives_in"),
  questionTimeOf: (text) => questionTimeOf(new Query(text)),
  isPolar: (text) => isPolar(new Query(text)),
  rowsOf,
  jsonObjectsIn,
  onOneLine: (text) => onOneLine(candidateOf(text).document, text),
  asItem,
  asLine,
  neutralized,
  saysInTheSameTerms: (text) => saysInTheSameTerms(text, text),
  stretches,
  measureText: (text) => measureText(tokens, text, { algorithm: "radix", min_retention: 0.9 }, 1, undefined),
  pack,
  "count tokens": (text) => tokens.count(text),
  "encode tokens": (text) => tokens.encode(text),
  cutToTokens: (text) => cutToTokens(text, 1000, tokens),
  readCondensable: (text) => readCondensable(text, tokens).condense(0.8),
  weighTerms: (text) => weighTerms(text, readLines(text), tokens),
  retentionOf: (text) => retentionOf(new Map([["ada", 1]]), text),
  shorten: (text) =>
    shorten(text, { start: 0, end: text.length, words: words(text) }, new Set(["a", "the", "and"]), ENGLISH_WORDS),
  fold: (text) => fold(text, { of: (part) => part.length, minGain: 4 }),
  condenseTo: (text) => condenseTo(text, 100, tokens),
  keyPointsOf: (text) => keyPointsOf(text, 5, tokens),
  "read lines": readLines,

  toEventTime,
  words,
  analyse,
  queryTerms,
  "words of a text": (text) => [...wordChunksOf(text)].length,
  exactForm,
  foldAccents,
  indexedIn: (text) => [...indexedIn(text)].length,
  indexTerms,
  queryKeywords,
  wordsTest: (text) => wordsTest(text)(text),
  isFuzzy,
  spellingsOf: (text) => spellingsOf(exactForm(text)),
  termOf,
  stem,
  checkQuery: (text) => refusable(() => checkQuery(text)),
  highlighter: (text) => highlighter(new Query(text))(text),
  analyseQuery: (text) => analyseQuery(new Query(text)),
  featuresOf: (text) =>
    featuresOf({ query: new Query(text), now: 0 }, [candidateOf(text)], { inTime: new Map(), documents: [] }),
  restatementsAmong: (text) =>
    restatementsAmong([candidateOf(text), candidateOf(`${text} b`)], new Query(text), "open"),
  booster: (text) => booster({ content: 2 }, new Query(text), 0)(1, { content: text } as SearchSource),
  embed: (text) => embedder.embed([text], { purpose: "passage" }),
  piecesOf,
  withoutLinks,

  extract: (content) => extract({ fast: model, verify: model }, { content, occurred_at: NOW, user_id: "ada" }),
  readPassage: (content) => readPassage({ content, occurred_at: NOW }),
  withSpeakers: async (content) => {
    const passage = await readPassage({ content, occurred_at: NOW, messages: [{ role: "assistant", content }] });
    return withSpeakers([{ content: content.slice(0, 500), confidence: 1, category: "other" }], passage);
  },
  denies,
  "sentences of a message": async (content) => new SentenceCutter(await loadTagger()).read(content, "Ada"),
  "pieces of a message": (content) =>
    extract(
      { fast: model, verify: model },
      {
        content,
        occurred_at: NOW,
        isSplit: true,
        before: [{ role: "tool", content: content.slice(-CONTEXT_CHARACTERS) }],
      },
    ),
  recalledIn,
  readFacts: async (content) => {
    const [tag, lemmaOf] = await Promise.all([loadTagger(), loadLemmatizer()]);
    return readFacts({
      content,
      passage: await readPassage({ content, occurred_at: NOW }),
      tag,
      lemmaOf,
      userName: "Ada",
    });
  },
  placeFacts: (value) => placeFacts([observationOf(value), observationOf(`${value} b`)], new Date(NOW)),
  isInQuotes: (text) => isInQuotes(text, false),
  slotKey: (text) => slotKey(text, `port_of ${text}`),
  termsOf: (text) => isSameValue(termsOf(text), termsOf(`${text} b`)),
  foreignNamesIn: (text) => foreignNamesIn(text),
  leaveForLater: (text) => leaveForLater(text, "job"),
  readBlocks: (content) => readBlocks(content, () => false),
  isCourtesy,
  afterCourtesy,
  isQuestion,
  foreignTokens,
  readable: (text) => readable(text, new Map()),
  triggeredBy: (text) => triggeredBy(text, [{ trigger: text }]),
  languageOf,
  numberIn,
  tokenize,
  timeSaidOf: (content) => timeSaidOf(content, NOW),
  annotateDates: (text) => annotateDates(text, { instant: new Date(NOW), zone: "Europe/Berlin" }),
  datesWithin: (text) => datesWithin(text, annotateDates(text, { instant: new Date(NOW) })),
  normalizedName,
  wordsSaid,
  isSubsumedBy: (text) => isSubsumedBy(text, text),
  isSameStatement: (text) => isSameStatement(text, `${text}b`),
  support: (text) => support([{ text, speaker: "Ada", dates: [] }], [text]),
  answersIn: (content) => answersIn([{ content, ...NO_ENTITY }], content),
  "answer as an agent": (content) =>
    answeringTask.builtIn({
      ...{ agent: { name: "a", config: {} }, input: content, context: {}, skills: [], maxTokens: 100 },
      memories: [{ id: "mem_1", content, ...NO_ENTITY }],
    }),
  unsupportedNumbers: (text) => unsupportedNumbers(text, { input: text, context: {}, memories: [], skills: [] }),
  infer: (content) =>
    inferenceTask.builtIn({
      memory: { id: "mem_1", content, ...NO_ENTITY },
      related: [{ id: "mem_2", content, ...NO_ENTITY }],
      facts: [],
      prompt: content,
    }),

  polarityOf,
  "judge sentiment": (text) => sentimentTask.builtIn({ texts: [text, text] }),
  topicsOf: (content) => topicsOf([{ role: "user", content }], { most: 5 }),
  readByRule: (content) => readByRule(NOTHING_SAID, [{ role: "user", content }]),
  summarySentencesOf: (content) => summarySentencesOf([{ role: "user", content }]),
  parseSummaryLines,
  closed,
  inLanguage: (text) => inLanguage(`Asked "${text}", the user answered "${text}"`, "de"),
  outline: (text) => outline(parseSummaryLines(text), { most: 200, points: 5 }, tokens),
  isLastingInstruction: (text) => [true, false].map((isEnglish) => isLastingInstruction({ text, isEnglish })),
  isToDo: (text) => [true, false].map((isEnglish) => isToDo("user", text, isEnglish)),
  acceptedOffer: (content) => acceptedOffer({ role: "assistant", content: `${content}?` }, { role: "user", content }),
  stillPending: (text) => stillPending([text, "Please write a letter."], "assistant", text),
  withoutOne: (text) => withoutOne([text, "tea"], text),
  mostAlike: (text) => mostAlike([text, "tea"], text),
  summarize: (content) => summarize([messageOf(content)], 500, tokens),
  gistOf: (content) => gistOf([messageOf(content)], 4_000, tokens),
  transcriptOf: (content) => transcriptOf([messageOf(content)]),
  blocksOf,
  setParagraph: (text) => setParagraph(normalized(text, "NFC"), "text", 48),
  "export PDF": (text) => renderPdf(transcriptWith(text), Number.POSITIVE_INFINITY),
  "export Markdown": (text) => lengthOf(markdownOf(transcriptWith(text))),
  "export JSON": (text) => lengthOf(jsonOf(transcriptWith(text))),
  plainFileName: (text) => plainFileName(text, "a", "md"),
  attachment: (text) => attachment(text, "a", "md"),

  findProcedures,
  findCommands,
  normalizeForComparison,
  readSkillFile: (text) => refusable(() => readSkillFile(`---\n${text}`)),
  fillSlots: (text) => fillSlots(text, { a: "b" }),
  parseExpression: (text) => refusable(() => parseExpression(text, "steps")),

  chunksOf: (text) => lengthOf(chunksOf(partsIn(text), tokens)),
  "find names": async (text) => (await loadNameFinder(text))(text),
  "sum up a source": (text) => {
    const outline = new OutlineTaker();
    outline.take(text);
    return summaryTask.builtIn({ title: "", lead: outline.lead, headings: outline.headings });
  },
  decodeText: (text) => decodeText(Buffer.from(text), { html: true, declared: text }),
  flattenHtml,
  readHtml,
  "readHtml of a page": (text) => readHtml(text, { page: true }),
  readLinks: (text) => readLinks(text, "https://site.example/"),
  readSitemap: (text) => refusable(() => readSitemap(text)),
  readCsv: (text) => refusable(() => readCsv(text)),
  readJson: (text) => refusable(() => readJson(text)),
  readCalendar: (text) => readCalendar(`BEGIN:VCALENDAR\nBEGIN:VEVENT\nDESCRIPTION:${text}\nEND:VEVENT`),
  readXmlDocument: (text) => refusable(() => readXmlDocument(`<?xml version="1.0"?><a>${text}</a>`)),
  windowsOf: (text) => [
    ...windowsOf(
      text,
      Array.from(text, (_, place) => ({ id: 1, start: place, end: place + 1 })),
    ),
  ],
  firstTerm,
  detectCharset: (text) => detectCharset(Buffer.from(`é${text}`, "latin1")),
  rowsOfMarkdown: (text) => refusable(() => rowsOfMarkdown("notes.md", text)),
  readNotebook: (text) => refusable(() => readNotebook(text)),
  withPlainLetters,
  readSubtitles: (text) => refusable(() => readSubtitles(text)),
  beginsSection: (text) => beginsSection(new Structure("markdown").at(0), "markdown", text),
  "chunksOf source code": (text) => lengthOf(chunksOf(partsIn(text), tokens, { syntax: "code" })),
  parseRobots: (text) =>
    parseRobots(Buffer.from(`User-agent: *\nDisallow: ${text}`), "memory-service").isDisallowed("https://a.example/a"),
  "Notion's Markdown": (text) => {
    const block = { type: "paragraph", paragraph: { rich_text: [{ plain_text: text, annotations: {} }] } };
    return toMarkdown([{ block: block as unknown as Block["block"], children: [] }]);
  },
  "Notion's properties": (text) =>
    propertiesAsText({
      a: { type: "rich_text", rich_text: [{ plain_text: text }] },
      [text]: { type: "url", url: text },
    }),
  "a line of Slack": (text) => lineOf({ ts: "1", text, attachments: [{ title: text, text }] }, new Map()),
  "a conversation of Claude": (text) =>
    messagesOf({ name: text, chat_messages: [{ sender: "human", text, created_at: text }] }),
  fileName,

  "parts of a conversation": (content) => partsOf({ messages: [{ role: "user", content }], draft: {} }),
  categorize: (content) => categorize(content, {}, { a: content.slice(0, 2_000) }),
  toSnakeCase,
  parseJson: (text) => refusable(() => parseJson(text, "application/json")),
  "read a file of rows": (text) => refusable(() => lengthOf(readEntries(bytesIn(text), undefined))),
  "read a CSV file": (text) => refusable(() => lengthOf(readEntries(bytesIn(`content\n${text}`), "csv"))),
  "write a line of CSV": (content) => toCsvLine({ content, metadata: { a: content } }),
  "validate a row": (content) => ImportRow.safeParse({ content, metadata: { a: content } }),
  "validate an e-mail address": (text) => email.safeParse(text),
  normalizeEmail,
  weaknessOf: (text) => weaknessOf(text.slice(0, MAX_PASSWORD_LENGTH), "a@b.example"),
  looksLike: (text) => looksLike("memory", text),
  parseLine: (text) => parseLine(text),
  problemOfHeader,
  excerpt: (text) => excerpt(text, 100),
  inPieces: (text) => [...inPieces(text, 100)].length,
  sentenceCase,
  sentenceSegments: (text) => [...sentenceSegments(text)].length,
  wordSegments: (text) => [...wordSegments(text)].length,
  normalized: (text) => normalized(text, "NFKD"),
  capitalizedIn: (text) => capitalizedIn(text).size,
  carriesData: (text) => carriesData(text),
  delimitedRanges: (text) => delimitedRanges(text),
  isAnswer,
  isForeignRequest,
  markersIn: (text) => markersIn(text),
  quotationAt: (text) => quotationAt(text, 0, text.length),
  readableText: (text) => readableText(text, text.length),
  textToIndex: (content) => textToIndex({ content }),
  withoutRecalled,
  spaced,
  wordSet: (text) => wordSet(text).size,
  withoutNames: (text) => withoutNames(new Query(text)),
  trimmedEnd: (text) => trimmedEnd(text, /\s/),
  withBrackets: (text) => withBrackets(text, 0, text.length),
};

/** Milliseconds for verbs that are slow at any length: they open fonts, or read a text six times. */
export const SLOW: Record<string, number> = {
  "compress by real_best": 5_000,
  "export PDF": 5_000,
  setParagraph: 5_000,
};

/** Functions that take a text and make no pass that can be quadratic, and why. */
export const EXEMPT: Record<string, string> = {
  candidatesIn: "within `findSecrets`",
  findExact: "within `findSecrets`",
  findLearned: "within `findSecrets`",
  tokensOf: "within `findSecrets`",
  looksChosen: "a value, within `findSecrets`",
  mayHaveNumber: "within `findSecrets`",
  restorePart: "`indexOf`, and `restore`",
  annotateLines: "`annotateDates`",
  linesOf: "`annotateDates`",
  ownSentencesOf: "within `signalsOf`",
  signalsOf: "of a query and its best hits: `holdsValue`",
  assetOf: "of a file of the console, at the start",
  memoizedByText: "looks up; what it computes has its own row",
  contentHash: "a digest",
  contentTagOf: "a digest",
  trailing: "of the spaces at the end of a line",
  currentVector: "looked up by a digest",
  storedVectors: "looked up by a digest",
  foreignRow: "a digest and a copy of a row's fields",
  archiveContent: "stores bytes, packed by `pack`",
  contentKey: "a digest",
  findKeywords: "of a query: `queryKeywords`, and look-ups of no more than a number of forms",
  isInsidePair: "of two characters",
  findForeignRules: "within `findProcedures`",
  findRules: "within `findProcedures`",
  messageContentKey: "a digest",
  namesWords: "of an expression: `parseExpression`",
  parseJsonIfValid: "JSON.parse",
  propertyOf: "of a sentence, within `readFacts`",
  quantityOf: "of a sentence, within `readFacts`",
  readAssistant: "of a sentence, within `readFacts`",
  readDoses: "of a sentence, within `readFacts`",
  readInstruction: "of a sentence, within `readFacts`",
  readKeyValues: "of a sentence, within `readFacts`",
  readNote: "of a sentence, within `readFacts`",
  readNow: "of a sentence, within `readFacts`",
  readPassage: 'of compression: the verb "read lines"',
  readPrice: "of a sentence, within `readFacts`",
  readRepair: "of a sentence, within `readFacts`",
  readTimes: "of a sentence, within `readFacts`",
  restoreContent: "stores bytes",
  sentencesOf: "within `findProcedures`",
  storeContent: "stores bytes",
  subjectOf: "of a sentence, within `readFacts`",
  textBetween: "of a sentence, within `readFacts`",
  whenOf: "of a sentence, within `readFacts`",
  writePrivately: "stores bytes",
  writesDayFirst: "of an English text, within `annotateDates`",
};

async function refusable(run: () => unknown): Promise<void> {
  try {
    await run();
  } catch (error) {
    const isRefusal = [ServiceError, ExpressionError, UnreadableError, UnreadableImportError].some(
      (kind) => error instanceof kind,
    );
    if (!isRefusal) throw error;
  }
}

async function lengthOf(parts: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of parts) count++;
  return count;
}

const PART_CHARACTERS = 16_384;

async function* partsIn(text: string): AsyncGenerator<string, void> {
  for (let start = 0; start < text.length; start += PART_CHARACTERS) yield text.slice(start, start + PART_CHARACTERS);
}

async function* bytesIn(text: string): AsyncGenerator<Uint8Array, void> {
  for await (const part of partsIn(text)) yield Buffer.from(part.toWellFormed());
}

function messageOf(content: string): SessionMessage {
  const message = { id: "msg", org: "org", session_id: "ses", position: 0, role: "user", tokens: 1, metadata: {} };
  return { ...message, content, created_at: NOW } as unknown as SessionMessage;
}

function transcriptWith(content: string): Transcript {
  const session = { id: "ses", title: "Tea", user_id: "ada", agent_id: "guide", status: "active", created_at: NOW };
  return {
    session: { ...session, message_count: 1, total_tokens: 1, metadata: {} } as unknown as Transcript["session"],
    context: { initial_context: {}, current: {} },
    includeMetadata: true,
    exportedAt: NOW,
    messages: (async function* () {
      yield [messageOf(content)];
    })(),
  };
}
