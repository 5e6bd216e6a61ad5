import type { Json } from "./ports.ts";

/** One message of a queue, and how often it has been handed out, this time included. */
export interface Delivery {
  body: Json;
  receiveCount: number;
}

/** What a worker does with messages. */
export interface MessageConsumer {
  /** How many of those that came together it works on at a time. */
  width(): Promise<number>;
  /** Rejects when the message is to come again. */
  consume(delivery: Delivery): Promise<void>;
}
