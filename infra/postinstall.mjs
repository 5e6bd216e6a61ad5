/**
 * The last step of `npm ci` deletes what packages contain and this project does not load, and lets `npx cdk` find the CDK
 * of infra/aws. It runs on Node 20, too, because `npm ci --omit=optional` does not install a newer one.
 */
import { existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = fileURLToPath(new URL("../node_modules", import.meta.url));
const CDK_COMMAND = fileURLToPath(new URL("aws/cdk.mjs", import.meta.url));

/** npm sets NODE_ENV with --omit=dev. Only development packs the Lambda layer, which is for Linux on arm64. */
const PLATFORMS = [
  `${process.platform}/${process.arch}`,
  ...(process.env.NODE_ENV === "production" ? [] : ["linux/arm64"]),
].join("|");

const UNUSED = [
  // Binaries of other platforms.
  new RegExp(`^onnxruntime-node/bin/napi-v\\d+/(?!(${PLATFORMS})$)[^/]+/[^/]+$`),
  // C headers and manual pages.
  /^node-(bin-)?(darwin|linux|win)-[^/]+\/(include|share)$/,
  // The vocabularies of tokenizers, as CommonJS or as files; langchain loads js-tiktoken/lite, which has none.
  /^gpt-tokenizer\/(cjs|data|src)$/,
  /^js-tiktoken\/dist\/(ranks|index\.c?js)$/,
  // Fonts and weights that functions/sessions/export/font-files.ts does not name.
  /^dejavu-fonts-ttf\/ttf\/(?!(DejaVuSans|DejaVuSans-Bold|DejaVuSansMono)\.ttf$)/,
  /^@expo-google-fonts\/[^/]+\/(?!400Regular$)\d00[^/]+$/,
  // Source maps.
  /\.[cm]?[jt]s\.map$/,
];

for (const name of readdirSync(PACKAGES, { recursive: true })) {
  const file = name.replaceAll(path.sep, "/");
  if (UNUSED.some((pattern) => pattern.test(file))) rmSync(path.join(PACKAGES, name), { recursive: true, force: true });
}

// Without it, npx would download another CDK. An image of the service does not contain infra/aws.
if (existsSync(CDK_COMMAND)) {
  const command = path.join(PACKAGES, ".bin/cdk");
  rmSync(command, { force: true });
  if (process.platform === "win32")
    writeFileSync(`${command}.cmd`, `@node "%~dp0\\..\\..\\infra\\aws\\cdk.mjs" %*\r\n`);
  else symlinkSync(path.relative(path.dirname(command), CDK_COMMAND), command);
}
