import { type ModelManifest, unusableFolder, verifiedFile } from "./model-folder.ts";
import { Network } from "./network.ts";
import { TextTokens } from "./text-windows.ts";

/** Models encode this text when they are opened, to check that tokenizer, network and manifest fit together. */
export const PROBE = "tea";

/**
 * Verifies and opens the network and the tokenizer of a folder, and returns the model that `create` makes of them.
 * Calls `onVerified` before it opens them. Throws ModelFolderError if they are unusable.
 */
export async function openModel<Model>(
  folder: string,
  manifest: Pick<ModelManifest, "sha256">,
  create: (network: Network, tokens: TextTokens) => Promise<Model>,
  onVerified = () => {},
): Promise<Model> {
  const [model, tokenizer] = await Promise.all([
    verifiedFile(folder, manifest, "model.onnx"),
    verifiedFile(folder, manifest, "tokenizer.json"),
  ]);
  onVerified();
  try {
    return await create(await Network.open(model), await TextTokens.open(tokenizer));
  } catch (error) {
    throw unusableFolder(folder, error instanceof Error ? error.message : String(error));
  }
}
