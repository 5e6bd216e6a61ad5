/** The part of `linebreak` that is used; the package has no types of its own. */
declare module "linebreak" {
  export default class LineBreaker {
    constructor(text: string);
    /** Where the next line may begin, as an index into the text; null behind the last. */
    nextBreak(): { position: number; required: boolean } | null;
  }
}
