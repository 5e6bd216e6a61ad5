import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/**
 * Reads the tokens of a markup text in linear time: the tokenizer keeps no stack of open elements, which a parser would
 * search at each tag. Tokens are ignored unless a reader overrides their method.
 */
export class TokenReader implements TokenizerCallbacks {
  protected readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }

  read({ xmlMode = false } = {}): this {
    const tokenizer = new Tokenizer({ xmlMode, decodeEntities: true }, this);
    tokenizer.write(this.markup);
    tokenizer.end();
    return this;
  }

  ontext(start: number, end: number): void {
    this.addText(this.markup.slice(start, end));
  }

  ontextentity(codepoint: number): void {
    this.addText(String.fromCodePoint(codepoint));
  }

  onattribdata(start: number, end: number): void {
    this.addToAttribute(this.markup.slice(start, end));
  }

  onattribentity(codepoint: number): void {
    this.addToAttribute(String.fromCodePoint(codepoint));
  }

  protected addText(_text: string): void {}
  protected addToAttribute(_text: string): void {}
  oncdata(_start: number, _end: number, _closing: number): void {}
  onopentagname(_start: number, _end: number): void {}
  onopentagend(_end: number): void {}
  onselfclosingtag(_end: number): void {}
  onclosetag(_start: number, _end: number): void {}
  onattribname(_start: number, _end: number): void {}
  onattribend(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}
