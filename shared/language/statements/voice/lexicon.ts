import { setOf } from "../../../kernel/strings.ts";
import { allWords } from "../../languages/lists.ts";
import type { LanguageWords, VoiceWords } from "../../languages/pack.ts";

type List = keyof VoiceWords;

/**
 * Returns a pattern for lists in all languages: whole words, or beginnings of words (`écri*`), that white space separates;
 * `_` is a space. In scripts whose words are written without spaces or take endings, it matches anywhere.
 */
function inAnyLanguage(...lists: List[]): RegExp {
  const wordsOf = (list: List, isWhole: boolean) =>
    setOf(allWords(({ voices, script }) => (isWholeWord(script) === isWhole ? voices?.[list] : undefined)));
  const of = (isWhole: boolean) =>
    lists
      .flatMap((list) => [...wordsOf(list, isWhole)])
      .map((word) => word.replaceAll("_", "[ ]").replace("*", "\\p{L}*"));
  return new RegExp([wholeWords(of(true)), ...of(false)].join("|"), "iu");
}

function isWholeWord(script: LanguageWords["script"]): boolean {
  return script === undefined || script === "Cyrillic";
}

function wholeWords(words: string[]): string {
  return `(?<![\\p{L}\\p{N}])(?:${words.join("|")})(?![\\p{L}\\p{N}-])`;
}

/** Verbs that give a text back to its speaker. */
export const SPEECH = inAnyLanguage("speech");

/** Texts that somebody else has written, and what holds or plays them. */
export const TEXTS = inAnyLanguage("texts", "documents");
export const DOCUMENTS = inAnyLanguage("documents");

/** Verbs of tasks on a text that is handed over. */
export const TASKS = inAnyLanguage("tasks");

/** Words that point at a text beside them. */
export const POINTING = inAnyLanguage("pointing");

/** Games, plays and stories, in which "I" is somebody invented. */
export const FICTION = inAnyLanguage("fiction");

/** What the user announces: before a colon, the words after it are the user's own. */
export const OWN_LABELS = inAnyLanguage("ownLabels");

/** The first and the second person, which the user and the assistant are to each other. */
export const FIRST_PERSON = inAnyLanguage("firstPerson");
export const SECOND_PERSON = inAnyLanguage("secondPerson");
/** Forms of requests and instructions. */
export const ORDERS = inAnyLanguage("orders");

/** Words at the start of a paragraph with which the user takes the word again. */
export const RETURNS = inAnyLanguage("returns", "asides");
/** The same anywhere in the first sentence of a paragraph. */
export const ASIDES = inAnyLanguage("asides");

/** Header fields of mails, in the languages of common clients. */
export const MAIL_FIELD =
  /^[*_\s|]*(?:from|to|cc|bcc|date|sent|subject|reply-to|message-id|received|return-path|von|an|datum|gesendet|betreff|antwort an|de|à|a|objet|envoyé|date d['’]envoi|expéditeur|destinataire|para|asunto|enviado(?: el| em)?|fecha|remitente|da|oggetto|inviato|data|mittente|destinatario|assunto|remetente|aan|onderwerp|verzonden|afzender|från|till|ämne|skickat|fra|til|emne|sendt|dato|od|do|temat|wysłano|от|кому|тема|дата|отправлено|копия|kimden|kime|konu|tarih|lähettäjä|vastaanottaja|aihe|lähetetty|feladó|címzett|tárgy|odesílatel|komu|předmět|发件人|收件人|主题|日期|发送时间|抄送|寄件者|收件者|主旨|差出人|宛先|件名|日付|送信日時|보낸 사람|받는 사람|제목|날짜|보낸 날짜|من|إلى|الموضوع|التاريخ)[*_\s]*[:：][*_]*(?:\s|$)/iu;
/** Fields that head a mail even alone. */
export const MAIL_SUBJECT =
  /^[*_\s]*(?:subject|re|fwd?|aw|wg|tr|rv|betreff|objet|asunto|oggetto|assunto|onderwerp|ämne|emne|temat|тема|主题|件名|제목|konu)[*_\s]*[:：]\s+\S/iu;

/** The opening of a letter, whose words are those of its writer. */
const SALUTATION =
  /^\s*(?:(?:dear|dearest|liebe[rs]?|sehr geehrte[rs]?|chère?s?|estimad[oa]s?|querid[oa]s?|gentile|egregi[oa]|car[oa]|carissim[oa]|prezad[oa]s?|geachte|beste|kära?|bästa|kjære|kære|drog[ia]|szanown[ya]|уважаем(?:ый|ая|ые)|дорог(?:ой|ая|ие)|sevgili|sayın|hyvä|rakas|kedves|milý|milá|vážený|vážená)(?: \p{L}[\p{L}.'’-]*){1,4}[,!:]?|to whom it may concern[,:]?|尊敬的.{1,12}|亲爱的.{1,12}|親愛的.{1,12}|.{1,12}様|拝啓.{0,12}|.{1,12}님께)\s*$/iu;
const LISTENERS = new RegExp(
  wholeWords("assistant ai agent bot chatbot claude chatgpt gpt gemini copilot team assistent asistente".split(" ")),
  "iu",
);
/** Whether a line opens a letter to a person. */
export function isSalutation(line: string): boolean {
  return line.length < 80 && SALUTATION.test(line) && !LISTENERS.test(line);
}
/** A greeting to a person, which opens a letter only if the letter is signed. */
export const GREETING =
  /^\s*(?:hi|hello|hey|hallo|bonjour|salut|hola|ciao|olá|oi|hej|hei|cześć|привет|здравствуйте|merhaba|你好|こんにちは|안녕하세요)(?:[, ]+\p{L}[\p{L}.'’-]*){1,3}\s*[,!.:，！]?\s*$/iu;

/** Closings of letters. */
export const SIGN_OFF =
  /^\s*(?:(?:best|kind|kindest|warm|warmest)(?: personal)? (?:regards|wishes)|regards|sincerely(?: yours)?|yours(?: sincerely| truly| faithfully)?|respectfully|cordially|with (?:love|kind regards|best wishes)|all the best|take care|warmly|hugs(?: and kisses)?|your (?:friend|loving \p{L}+)|mit (?:freundlichen|besten|lieben|herzlichen) grüßen|(?:viele|liebe|beste|herzliche|freundliche|schöne) grüße|hochachtungsvoll|gruß|lg|mfg|bien (?:à vous|cordialement|à toi)|cordialement|salutations|amicalement|sincères salutations|bises|bisous|(?:un )?(?:cordial )?saludos?(?: cordiales)?|un abrazo|atentamente|atte|cordiali saluti|distinti saluti|saluti|un abbraccio|atenciosamente|cumprimentos|(?:um )?abraços?|met vriendelijke groet(?:en)?|(?:hartelijke |vriendelijke )?groet(?:en|jes)?|med (?:vänlig|venlig|vennlig) (?:hälsning|hilsen)|(?:vänliga )?hälsningar|(?:mange )?hilsen(?:er)?|z poważaniem|pozdrawiam|pozdrowienia|с уважением|с наилучшими пожеланиями|saygılarımla|ystävällisin terveisin|üdvözlettel|s pozdravem|此致|敬上|敬具|祝好|よろしくお願いします|드림|올림|مع أطيب التحيات)[,.!，]?\s*$/iu;
/** Closings that people also use toward an assistant. */
export const THANKS =
  /^\s*(?:thanks|many thanks|thank you|cheers|love|xoxo|xx|best|talk soon|danke|merci|gracias|grazie|obrigad[oa]|bedankt|tack|dzięki|спасибо|谢谢|ありがとう|감사합니다)[,.!]?\s*$/iu;
/** What may follow a signature and belongs to the letter. */
export const POSTSCRIPT =
  /^\s*(?:p\.?\s?s\.?\s?[:.]?\s|ps:|sent from|sent via|gesendet von|envoyé (?:de|depuis)|enviado desde|inviato da|get outlook|this (?:e-?mail|message)|confidential|disclaimer|diese e-?mail|ce message|este (?:correo|mensaje)|unsubscribe|--|tel|phone|mobile|https?:)/iu;
