import { logistic } from "../../../kernel/math.ts";
import { type RerankerManifest, readRerankerFolder } from "./model-folder.ts";
import type { Network } from "./network.ts";
import { openModel, PROBE } from "./open-model.ts";
import type { TextTokens } from "./text-windows.ts";

/** One token before the query, one after it and one after the text. */
const SPECIAL_TOKENS = 3;
/** Maximum windows of a long text that the network reads: those that share the most tokens with the query. */
const MAX_WINDOWS = 2;

/** A cross-encoder: one pass through the network reads query and text together and returns one logit. */
export class CrossEncoder {
  readonly #maxTokens: number;
  readonly #network: Network;
  readonly #tokens: TextTokens;

  /** Throws ModelFolderError if the folder holds no usable model. */
  static async open(folder: string): Promise<CrossEncoder> {
    const manifest = readRerankerFolder(folder);
    return openModel(folder, manifest, async (network, tokens) => {
      const encoder = new CrossEncoder(manifest, network, tokens);
      await encoder.relevance(PROBE, PROBE);
      return encoder;
    });
  }

  private constructor({ max_tokens }: RerankerManifest, network: Network, tokens: TextTokens) {
    this.#maxTokens = max_tokens;
    this.#network = network;
    this.#tokens = tokens;
  }

  /** Returns how well the best window answers the query, 0..1; 0 for a blank text. Calls `onWindow` after each. */
  async relevance(query: string, text: string, onWindow = () => {}): Promise<number> {
    const available = this.#maxTokens - SPECIAL_TOKENS;
    // A longer query is cut, so that half of the window is left for the text.
    const [queryTokens = []] = this.#tokens.windows(query, Math.floor(available / 2));
    const windows = [...this.#tokens.windows(text, available - queryTokens.length)];
    let best = 0;
    for (const window of mostShared(queryTokens, windows)) {
      best = Math.max(best, await this.#read(queryTokens, window));
      onWindow();
    }
    return best;
  }

  async #read(query: number[], window: number[]): Promise<number> {
    const { start, end } = this.#tokens;
    const tokens = [start, ...query, end, ...window, end];
    const [logit = Number.NaN] = await this.#network.run([tokens], [1, 1], query.length + 2);
    if (!Number.isFinite(logit)) throw new Error(`the model answered ${logit}`);
    return logistic(logit);
  }
}

/** Returns the windows that share the most tokens with the query, the earlier ones if several share as many. */
function mostShared(query: number[], windows: number[][]): number[][] {
  if (windows.length <= MAX_WINDOWS) return windows;
  const queryTokens = new Set(query);
  const scored = windows.map((window) => ({
    window,
    shared: [...queryTokens].filter((token) => window.includes(token)).length,
  }));
  const ordered = scored.sort((one, other) => other.shared - one.shared);
  return ordered.slice(0, MAX_WINDOWS).map(({ window }) => window);
}
