/**
 * `npm run pin:image`: looks up the digest of the base image in its registry and writes it into both FROM lines of the
 * Dockerfile, so that a build is reproducible. Run it to update the image. Writes nothing if the registry does not answer.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pinned } from "./base-image.ts";

const DOCKERFILE = fileURLToPath(new URL("../Dockerfile", import.meta.url));
const REPOSITORY = "library/node";
const TAG = "24-slim";
const TOKENS = `https://auth.docker.io/token?service=registry.docker.io&scope=repository:${REPOSITORY}:pull`;
const MANIFEST = `https://registry-1.docker.io/v2/${REPOSITORY}/manifests/${TAG}`;
/** An index of images for several platforms. */
const INDEX_TYPES =
  "application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json";

const { token } = (await (await fetch(TOKENS)).json()) as { token: string };
const headers = { accept: INDEX_TYPES, authorization: `Bearer ${token}` };
const response = await fetch(MANIFEST, { method: "HEAD", headers });
if (!response.ok) throw new Error(`The registry answered ${response.status} for ${REPOSITORY}:${TAG}.`);
const digest = response.headers.get("docker-content-digest") ?? "";
writeFileSync(DOCKERFILE, pinned(readFileSync(DOCKERFILE, "utf8"), `node:${TAG}`, digest));
console.log(`node:${TAG}@${digest}`);
