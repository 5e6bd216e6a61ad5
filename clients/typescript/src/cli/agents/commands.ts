import { isFields } from "./edits.ts";
import type { Said } from "./transcripts.ts";

/** How often a command must have worked: what an agent looks at, it mostly looks at once. */
const MIN_TIMES = 2;
const MAX_COMMANDS = 5;
const MAX_LENGTH = 200;

interface Command {
  text: string;
  description: string;
}

/** The commands of a transcript with the blocks of Anthropic's messages that worked at least twice, the last time too. */
export class WorkingCommands {
  /** By the id of the call that has no result yet. */
  readonly #called = new Map<string, Command>();
  /** By text, the last one that worked at the end. */
  readonly #worked = new Map<string, Command & { times: number }>();

  read({ message, isSidechain }: Record<string, unknown>): void {
    const content = isFields(message) && isSidechain !== true ? message.content : undefined;
    for (const block of (Array.isArray(content) ? content : []).filter(isFields)) {
      if (block.type === "tool_use") this.#call(block);
      if (block.type === "tool_result") this.#end(block);
    }
  }

  /** In the words with which the agent described each. */
  said(): Said[] {
    return [...this.#worked.values()]
      .filter(({ times }) => times >= MIN_TIMES)
      .slice(-MAX_COMMANDS)
      .map(({ text, description }) => ({ role: "assistant", content: `${description}: \`${text}\`` }));
  }

  #call({ id, name, input }: Record<string, unknown>): void {
    if (typeof id !== "string" || name !== "Bash" || !isFields(input)) return;
    const { command: text, description } = input;
    if (typeof text !== "string" || typeof description !== "string") return;
    if (!/[`\n]/.test(text) && text.length <= MAX_LENGTH && description.length <= MAX_LENGTH) {
      this.#called.set(id, { text, description });
    }
  }

  #end({ tool_use_id: id, is_error: isError }: Record<string, unknown>): void {
    const command = typeof id === "string" ? this.#called.get(id) : undefined;
    if (typeof id !== "string" || command === undefined) return;
    this.#called.delete(id);
    const { times } = this.#worked.get(command.text) ?? { times: 0 };
    this.#worked.delete(command.text);
    if (isError !== true) this.#worked.set(command.text, { ...command, times: times + 1 });
  }
}
