/**
 * Version of how files are read and cut into chunks. The same content is read again where its source was read by another
 * version, when it is sent again; nothing else reads it again.
 */
export const READER_VERSION = "2";
