import path from "node:path";
import {
  mentionsIn,
  type ReaderLogits,
  type SignedMention,
  type TokenPosition,
} from "../../../language/reader/decode.ts";
import type { Labels } from "../../../language/reader/labels.ts";
import { MAX_BEFORE, type TextToken, windowsOf } from "../../../language/reader/windows.ts";
import { MENTION_ACTS, type MessageToRead } from "../../../ports/fact-reader.ts";
import { readModelFolder, readReaderFolder, unusableFolder, verifiedFile } from "./model-folder.ts";
import { Network } from "./network.ts";
import { PROBE } from "./open-model.ts";
import { TextTokens } from "./text-windows.ts";

const TAGS = 3;

/** A network that marks what a message states: one pass for each window of the text, behind the message before it. */
export class FactTagger {
  readonly #labels: Labels;
  readonly #network: Network;
  readonly #tokens: TextTokens;

  /** Opens the model of a folder, and the base model beside it. Throws ModelFolderError if either is unusable. */
  static async open(folder: string): Promise<FactTagger> {
    const { base, labels, ...manifest } = readReaderFolder(folder);
    const models = path.dirname(path.resolve(folder));
    const baseFolder = path.join(models, base.folder);
    const baseManifest = readModelFolder(baseFolder);
    if (baseManifest.sha256["model.onnx"] !== base.sha256)
      throw unusableFolder(folder, `it was made from another model.onnx than that of ${base.folder}`);
    const [model, tokenizer] = await Promise.all([
      verifiedFile(folder, manifest, "model.onnx"),
      verifiedFile(baseFolder, baseManifest, "tokenizer.json"),
      verifiedFile(baseFolder, baseManifest, "model.onnx"),
    ]);
    try {
      const tagger = new FactTagger(labels, await Network.open(model, models), await TextTokens.open(tokenizer));
      await tagger.read({ before: "", text: PROBE });
      return tagger;
    } catch (error) {
      throw unusableFolder(folder, error instanceof Error ? error.message : String(error));
    }
  }

  private constructor(labels: Labels, network: Network, tokens: TextTokens) {
    this.#labels = labels;
    this.#network = network;
    this.#tokens = tokens;
  }

  /** Returns the mentions of a message in their order. Calls `onPass` after each pass. Takes time linear in the text. */
  async read(message: MessageToRead, onPass = () => {}): Promise<SignedMention[]> {
    const { text } = message;
    const mentions: SignedMention[] = [];
    let before = this.#tokens.placed(message.before).slice(-MAX_BEFORE);
    let part: keyof MessageToRead = "before";
    for (const window of windowsOf(text, this.#tokens.placed(text))) {
      const found = await this.#readWindow({ before, part, window }, message);
      // The end of the window before was read with that window.
      mentions.push(...(part === "before" ? found : found.filter(({ start }) => start >= (window[0]?.start ?? 0))));
      [before, part] = [window.slice(-MAX_BEFORE), "text"];
      onPass();
    }
    return mentions;
  }

  async #readWindow(
    { before, part, window }: { before: TextToken[]; part: keyof MessageToRead; window: TextToken[] },
    message: MessageToRead,
  ): Promise<SignedMention[]> {
    const { start, end } = this.#tokens;
    const ids = [start, ...before.map(({ id }) => id), end, ...window.map(({ id }) => id), end];
    const positions: TokenPosition[] = [
      undefined,
      ...before.map((token) => ({ ...token, part })),
      undefined,
      ...window.map((token) => ({ ...token, part: "text" as const })),
      undefined,
    ];
    const sizes = {
      value: TAGS,
      who: TAGS,
      slot: this.#labels.slots.length,
      act: MENTION_ACTS.length,
      about: ids.length,
    };
    const entries = Object.entries(sizes).map(([name, size]) => [name, [1, ids.length, size]]);
    const logits = await this.#network.runAll<keyof ReaderLogits>(ids, Object.fromEntries(entries));
    return mentionsIn(logits, positions, message, this.#labels);
  }
}
