/** Descriptions of fields that only this group has; see shared/entry/openapi/fields.ts. */
export const FIELDS = {
  "SourceDetails.pagination": "The page of `chunk_memory_ids`.",
  "getSource.limit": "Maximum number of chunk ids in the answer.",
  "getSource.offset": "Number of chunk ids to skip before the first one in the answer.",
  "source.type Source.type SourceDetails.type": "Kind of content, such as `text`, `url` or `file`.",
  "source.org_id Source.org_id SourceDetails.org_id": "Label for filtering within the organization.",
  source_id: "Id of the source, such as `src_…`, which is also the id of its own memory.",
  "source.status Ingested.status":
    "`processing`: workers read the content; `active`: searchable; `failed`: `error` says why.",
  "source.extraction Source.extraction SourceDetails.extraction Ingested.extraction":
    "Whether text was read from the content; only if `status` is `active`.",
  "Extraction.status": "`no_text`: the source is found by name and metadata only.",
  "UploadLink.status": "`awaiting_upload` until the upload is completed.",
  "source.url Source.url SourceDetails.url": "Address that the content was fetched from or belongs to.",
  "IngestSource.content": "Text to ingest; larger content goes through an upload.",
  "IngestSource.provider RequestUploadLink.provider source.provider Source.provider SourceDetails.provider uploadSource.provider":
    "Name of the system that the content comes from.",
  content_type: "Media type, such as `application/pdf`.",
  "SourceFile.kind": "Format that was recognized.",
  chunk_memory_ids: "Memories of the chunks, in document order.",
  chunks_created: "Number of stored chunks.",
  chunks_stored: "Chunks stored so far.",
  chunks_deleted: "Number of deleted chunks.",
  tokens_read: "Tokens read so far.",
  headers: "Headers to send with the upload.",
};
