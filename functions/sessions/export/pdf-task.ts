import type { SessionMessage } from "../../../shared/domain/sessions/session.ts";
import type { TextTask } from "../../../shared/runtime/text-work/task.ts";
import type { Transcript } from "./transcript.ts";

interface PdfRequest {
  heading: Omit<Transcript, "messages">;
  messages: SessionMessage[];
  /** Milliseconds after which no further message is started. */
  timeMs: number;
}

/** Typesets a transcript as a PDF; never inline, because loading fonts alone takes too long. */
export const pdfTask: TextTask<PdfRequest, Uint8Array> = {
  name: "session_pdf",
  inlineSize: 0,
  timeLimitMs: 25_000,
  async run({ heading, messages, timeMs }) {
    const { renderPdf } = await import("./pdf.ts");
    return renderPdf({ ...heading, messages: oneBatch(messages) }, performance.now() + timeMs);
  },
};

async function* oneBatch(messages: SessionMessage[]): AsyncGenerator<SessionMessage[]> {
  yield messages;
}
