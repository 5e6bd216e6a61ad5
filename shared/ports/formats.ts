import packageJson from "../../package.json" with { type: "json" };

/** Version of the running service. */
export const RELEASE = packageJson.version;

/** The stored format is newer than this release can read. The message is for the operator. */
export class NewerFormatError extends Error {
  /** `writer` is the release that wrote it, if known. */
  constructor({ what, writer, remedy }: { what: string; writer: string | undefined; remedy: string }) {
    const release = writer === undefined ? `a release newer than ${RELEASE}` : `release ${writer}`;
    super(`${what} was written by ${release}, and release ${RELEASE} cannot read it. ${remedy}`);
    this.name = "NewerFormatError";
  }
}
