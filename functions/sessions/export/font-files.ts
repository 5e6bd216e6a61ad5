/** The style of a text; `code` is monospaced. */
export type FontStyle = "text" | "bold" | "code";

/** DejaVu (licence of Bitstream Vera): Latin, Greek, Cyrillic, Hebrew, Arabic and symbols. */
export const STYLE_FONTS: Record<FontStyle, string> = {
  text: "dejavu-fonts-ttf/ttf/DejaVuSans.ttf",
  bold: "dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf",
  code: "dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf",
};

/** Fonts for characters that DejaVu lacks (SIL Open Font License 1.1). */
export const SCRIPT_FONTS: [characters: RegExp, file: string][] = [
  // Han, Kana and full-width forms; Chinese shapes are used for Japanese, too.
  [/[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\u3000-\u303f\uff00-\uff9f]/u, "@librescore/fonts/SourceHanSansCN.min.woff2"],
  [/\p{sc=Hang}/u, "@librescore/fonts/SourceHanSansKR.min.woff2"],
  [/\p{scx=Deva}/u, "@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf"],
  [/\p{sc=Thai}/u, "@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf"],
  [
    /[\p{Extended_Pictographic}\p{Emoji_Component}]/u,
    "@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf",
  ],
];

/** Package files that PDF export reads; deployed with the bundle. */
export const FONT_FILES: string[] = [...Object.values(STYLE_FONTS), ...SCRIPT_FONTS.map(([, file]) => file)];
