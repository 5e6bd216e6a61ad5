/** The used part of `linebreak`; the package has no types. */
declare module "linebreak" {
  export default class LineBreaker {
    constructor(text: string);
    /** The next possible line break as an index into the text; null at the end. */
    nextBreak(): { position: number; required: boolean } | null;
  }
}
