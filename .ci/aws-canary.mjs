/**
 * Stores, reads and deletes a memory through the API of the deployment of STAGE: `node .ci/aws-canary.mjs OUTPUTS`, the
 * --outputs-file of cdk deploy.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

const { STAGE, GITHUB_ENV } = process.env;
const TIMEOUT_MS = 30_000;
const ATTEMPTS = 6;
const CONTENT = "The canary of a deployment stored this.";

const outputs = JSON.parse(readFileSync(process.argv[2], "utf8"));
const url = outputs[`memory-service-${STAGE}-api`].Url.replace(/\/$/, "");
const secret = ["--secret-id", `memory-service/${STAGE}/bootstrap/first-admin-key`];
const asText = ["--query", "SecretString", "--output", "text"];
const key = execFileSync("aws", ["secretsmanager", "get-secret-value", ...secret, ...asText], {
  encoding: "utf8",
}).trim();
if (GITHUB_ENV) console.log(`::add-mask::${key}`);

/** Whether a status may be gone in a moment: API Gateway answers 403 until a route or a permission is everywhere. */
const mayPass = (status) => status >= 500 || status === 403 || status === 429;

/** Sends a request, and again after a failure that may pass: the first may meet functions that are being replaced. */
async function send(path, request) {
  for (let attempt = 1; ; attempt++) {
    const answer = fetch(`${url}${path}`, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const response = await (attempt < ATTEMPTS ? answer.catch(() => undefined) : answer);
    if (response && (!mayPass(response.status) || attempt === ATTEMPTS)) return response;
    await setTimeout(1000 * 2 ** (attempt - 1));
  }
}

async function call(method, path, body) {
  const headers = { "X-API-Key": key, "Content-Type": "application/json" };
  const response = await send(path, { method, headers, body: body && JSON.stringify(body), redirect: "error" });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text).data;
}

await call("GET", "/ready");
const { id } = await call("POST", "/memories", { content: CONTENT });
const { content } = await call("GET", `/memories/${id}`);
if (content !== CONTENT) throw new Error(`${url} answered another text: ${content}`);
await call("DELETE", `/memories/${id}`);
console.log(`${url} stores, reads and deletes`);
