import fc from "fast-check";

const MAX_CODE_POINT = 0x10_ffff;
const [FIRST_SURROGATE, SURROGATES] = [0xd800, 0x800];

/** Any character of Unicode. fast-check's own unit `binary` spends a second of each process on a list of all. */
export const anyCharacter = fc
  .integer({ min: 0, max: MAX_CODE_POINT - SURROGATES })
  .map((codePoint) => String.fromCodePoint(codePoint < FIRST_SURROGATE ? codePoint : codePoint + SURROGATES));
