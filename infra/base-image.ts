const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Returns a Dockerfile whose FROM lines name the image by its digest. Throws an Error if it is no SHA-256 digest. */
export function pinned(dockerfile: string, image: string, digest: string): string {
  if (!DIGEST.test(digest)) throw new Error(`'${digest}' is no digest of an image.`);
  const lines = dockerfile.split("\n").map((line) => {
    const [from, name = "", ...rest] = line.split(" ");
    const isImage = from === "FROM" && (name === image || name.startsWith(`${image}@`));
    return isImage ? [from, `${image}@${digest}`, ...rest].join(" ") : line;
  });
  return lines.join("\n");
}
