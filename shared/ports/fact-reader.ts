/** A message to read, after the message before it, which it may answer. */
export interface MessageToRead {
  before: string;
  text: string;
}

/** How a statement relates to its value: FACT_ACTS of facts, and what held once or never held. */
export const MENTION_ACTS = ["state", "past", "end", "plan", "cancel", "correct", "not"] as const;
export type MentionAct = (typeof MENTION_ACTS)[number];

/** A value that a message states; positions are UTF-16 units of `text`, or of `before` if the message confirms it. */
export interface Mention {
  part: keyof MessageToRead;
  start: number;
  end: number;
  /** What the value is of its subject: "lives_in", "instruction", "property". */
  slot: string;
  act: MentionAct;
  /** Whom or what it is about, as written; undefined for the speaker. */
  subject: string | undefined;
  /** 0..1: the share of such mentions that are right, measured on voices that the model was not trained on. */
  confidence: number;
}

/** A model that reads what messages state. */
export interface FactReader {
  /** Identifies the model: other weights read other facts. */
  readonly id: string;
  /** The least confidence of a mention that becomes a fact; less sure ones tell that the model is unsure. */
  readonly least: number;
  /** Returns the mentions of each message in their order. Rejects when the signal is aborted. */
  read(messages: MessageToRead[], signal?: AbortSignal): Promise<Mention[][]>;
}
