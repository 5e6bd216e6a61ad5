import type { Json } from "./json.ts";

/** A message of a queue with its number of deliveries, including this one. */
export interface Delivery {
  body: Json;
  receiveCount: number;
}

/** Processes messages. */
export interface MessageConsumer {
  /** The number of messages of a batch to process concurrently. */
  width(): Promise<number>;
  /** Rejects if the message must be delivered again. */
  consume(delivery: Delivery): Promise<void>;
}
