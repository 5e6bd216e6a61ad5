import packageJson from "../../package.json" with { type: "json" };

/** Version of the service that runs. */
export const RELEASE = packageJson.version;

/** What is stored has a format that only a newer release knows. Its message is for the operator. */
export class NewerFormatError extends Error {
  /** `writer` is the release that wrote it, where that is known. */
  constructor({ what, writer, remedy }: { what: string; writer: string | undefined; remedy: string }) {
    const release = writer === undefined ? `a release newer than ${RELEASE}` : `release ${writer}`;
    super(`${what} was written by ${release}, and release ${RELEASE} cannot read it. ${remedy}`);
    this.name = "NewerFormatError";
  }
}
