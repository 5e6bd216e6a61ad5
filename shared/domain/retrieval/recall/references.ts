/** Matches a text that begins like an answer, or with a word that refers to the previous text. */
const OPENS_WITH_REFERENCE =
  /^\W*(?:yes|yeah|yep|no|nope|not really|sure|exactly|both|neither|either|same|because|he|she|it|they|them|this|that|these|those|there|the (?:first|second|other|latter|former|last)(?: one)?|ja|nein|doch|beide|er|sie|es|das|weil|sí|si|ambos|ella|él|eso|porque|oui|non|elle|il|ça|parce)(?![\p{L}\p{M}])/iu;

/** Whether a text needs the previous one to be understood. */
export function opensWithReference(text: string): boolean {
  return OPENS_WITH_REFERENCE.test(text);
}
