import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../shared/entry/config.ts";
import { fetchConfigured } from "../../shared/runtime/fetching/fetch-configured.ts";
import { fetchPublic } from "../../shared/runtime/fetching/fetch-public.ts";
import {
  assertMaySee,
  carry,
  maySee,
  type OwnerOf,
  SECRETS,
  type SecretKind,
} from "../../shared/runtime/fetching/secret-destinations.ts";
import { openEndpoint } from "./endpoint.ts";

const deployment = loadConfig({
  ALLOW_PRIVATE_TARGETS: "1",
  PUBLIC_URL: "https://memory.example",
  OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example",
});
const own = { base_url: "https://own.example/api", token_url: "https://tokens.example/token" };
const connection = { provider: "code_host" as const, config: own, secret_names: ["client_id"], deployment };

/** An owner of each kind, and the origins that may receive its secret. A kind without a row does not compile. */
const ROWS: { [Kind in SecretKind]: { owner: OwnerOf<Kind>; receivers: string[] } } = {
  google_client: { owner: deployment, receivers: ["https://accounts.google.com", "https://oauth2.googleapis.com"] },
  github_client: { owner: deployment, receivers: ["https://github.com"] },
  notion_client: { owner: deployment, receivers: ["https://api.notion.com"] },
  slack_client: { owner: deployment, receivers: ["https://slack.com"] },
  github_sign_in_token: { owner: deployment, receivers: ["https://api.github.com"] },
  model_key: { owner: deployment, receivers: ["https://api.openai.com"] },
  collector_headers: { owner: deployment, receivers: ["https://collector.example"] },
  mailed_token: { owner: deployment, receivers: ["https://memory.example"] },
  aws_credentials: { owner: deployment, receivers: [] },
  mail_server: { owner: deployment, receivers: [] },
  data_key: { owner: deployment, receivers: [] },
  signing_key: { owner: deployment, receivers: [] },
  backup_key: { owner: deployment, receivers: [] },
  user_credentials: { owner: deployment, receivers: [] },
  origin_secret: { owner: deployment, receivers: [] },
  connection_grant: { owner: connection, receivers: ["https://tokens.example"] },
  connection_token: { owner: connection, receivers: ["https://own.example"] },
  bucket_keys: {
    owner: { config: { bucket: "documents", region: "eu-central-1" } },
    receivers: ["https://s3.eu-central-1.amazonaws.com", "https://documents.s3.eu-central-1.amazonaws.com"],
  },
  webhook_secret: { owner: { url: "https://hooks.example.com/in" }, receivers: ["https://hooks.example.com"] },
};
const KINDS = Object.keys(SECRETS) as SecretKind[];
const ownerOf = <Kind extends SecretKind>(kind: Kind): OwnerOf<Kind> => ROWS[kind].owner;

/** URLs that resemble a receiver but have another origin. */
function lookalikes(receiver: string): string[] {
  const { protocol, host, origin } = new URL(receiver);
  return [
    `http://${host}/`,
    `${origin}:8443/`,
    `${origin}.attacker.example/`,
    `${origin}@attacker.example/`,
    `${protocol}//attacker.example/${origin}/`,
    `${protocol}//attacker.example/?${origin}`,
    `${protocol}//attacker.example#${origin}/`,
    `${protocol}//attacker.example\\@${host}/`,
    `${protocol}//not${host}/`,
    `${protocol}//sub.${host}/`,
    `${protocol}//${host.split(".").slice(1).join(".")}/`,
    `${protocol}//${host}./`,
    `blob:${origin}/1`,
    `data:text/plain,${origin}`,
    `//${host}/`,
    host,
    "",
  ];
}

describe("the table of secrets", () => {
  it.each(KINDS)("sends %s only to its receivers, and to no similar address", (kind) => {
    const { receivers } = ROWS[kind];
    for (const receiver of receivers) {
      expect(maySee(kind, `${receiver}/any/path?query`, ownerOf(kind)), receiver).toBe(true);
      const others = lookalikes(receiver).filter((url) => !receivers.some((each) => url === `${each}/`));
      for (const url of others) expect(maySee(kind, url, ownerOf(kind)), url).toBe(false);
    }
    expect(maySee(kind, "https://attacker.example", ownerOf(kind))).toBe(false);
    expect(() => assertMaySee(kind, "https://attacker.example/", ownerOf(kind))).toThrow("must not receive");
  });

  it.each(KINDS)("prevents every fetch from sending %s to another origin", async (kind) => {
    const hostile = await openEndpoint();
    const secrets = [carry(kind, ownerOf(kind), { authorization: "Bearer the-secret" })];
    const request = { method: "POST", body: "the-secret", secrets };
    await expect(fetchPublic({ config: deployment }, hostile.url, request)).rejects.toMatchObject({
      code: "URL_NOT_ALLOWED",
      details: { secret: kind },
    });
    await expect(fetchConfigured(hostile.url, request)).rejects.toMatchObject({ code: "URL_NOT_ALLOWED" });
    expect(hostile.requests).toEqual([]);
  });

  it("matches the documentation", () => {
    const page = readFileSync(new URL("../../docs/security.md", import.meta.url), "utf8");
    for (const kind of KINDS) {
      const { what, owner, receivers } = SECRETS[kind];
      expect(page).toContain(`| ${owner} | ${what} | ${receivers} |`);
    }
  });

  it("follows the operator's settings", () => {
    const issuer = loadConfig({ GOOGLE_ISSUER: "https://login.example" });
    expect(maySee("google_client", "https://login.example/token", issuer)).toBe(true);
    expect(maySee("google_client", "https://oauth2.googleapis.com/token", issuer)).toBe(false);
    const enterprise = loadConfig({ GITHUB_URL: "https://git.example", GITHUB_API_URL: "https://git.example/api/v3" });
    expect(maySee("github_client", "https://git.example/login/oauth/access_token", enterprise)).toBe(true);
    expect(maySee("github_client", "https://github.com/login/oauth/access_token", enterprise)).toBe(false);
  });

  it("sends tokens issued to the deployment's client only to the built-in address", () => {
    const tokens = { ...connection, secret_names: ["access_token", "refresh_token"] };
    expect(maySee("connection_token", "https://api.github.com", tokens)).toBe(true);
    expect(maySee("connection_token", "https://own.example", tokens)).toBe(false);
  });
});
