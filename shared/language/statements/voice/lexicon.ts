import { setOf } from "../../../kernel/strings.ts";

/** Returns a pattern for whole words or beginnings of words (`écri*`), which white space separates; `_` is a space. */
function wordsLike(words: string): RegExp {
  const all = [...setOf(words)].map((word) => word.replaceAll("_", "[ ]").replace("*", "\\p{L}*"));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${all.join("|")})(?![\\p{L}\\p{N}-])`, "iu");
}

function anyOf(...patterns: RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"), "iu");
}

/** Verbs that give a text back to its speaker. */
export const SPEECH = anyOf(
  wordsLike(`
    say says said saying tell tells told write writes wrote written read reads ask asks asked reply replies replied answers answered
    claims claimed states stated announces announced explains explained posts posted tweets tweeted comments commented texts texted
    messaged emailed adds added continues goes whispers whispered shouts shouted sings sang
    begins dictated quoted replying responded responds mentions mentioned
    sagt sagte sagen schreibt schrieb schreiben geschrieben gesagt meint meinte fragt fragte antwortet antwortete erzählt erzählte liest lautet steht
    dit disait écri* a_dit répond* demande raconte
    dice dijo decía escrib* escrito respond* contó cuenta pregunt* reza
    ha_scritto scrive scrisse detto disse risponde rispose chiede recita
    diz disse escrev* respond* perguntou conta
    schreef schrijft zegt zei vraagt vroeg antwoordt
    skrev skriver säger sade siger sagde sier sa
    napisa* pisze mówi powiedział* odpowiedział* pyta
    написал* пишет пишут сказал* говорит говорил* ответил* спросил* сообщает
    yazdı diyor dedi söyledi kirjoitti sanoi írta mondta napsal* řekl*`),
  /写道|说道|说(?=[:：「“"]|$)|写着|回复|寫道|說|書きました|言いました|と言う|からのメッセージ|のメール|말했|썼|작성|님이|ने कहा|ने लिखा|قال|كتب/u,
);

/** Texts that somebody else has written, and what holds or plays them. */
export const TEXTS = anyOf(
  wordsLike(`
    e-?mails? mails? messages? letters? texts? sms dms? posts? tweets? comments? reviews? articles? pages? websites? sites? blogs? papers? documents? docs?
    files? transcripts? transcriptions? logs? output outputs outcome results? responses? quotes? quotations? citations? poems? lyrics? songs? chats? conversations? dialogues? dialogs?
    threads? tickets? voicemails? voice_?mails? stories story novels? plays? scripts? scenes? screenplays? chapters? verses? paragraphs? passages? abstracts? excerpts? extracts?
    ads? advertisements? signs? stickers? posters? flyers? leaflets? captions? subtitles? memos? minutes diary diaries journals? snippets? codes? dumps? payloads? prompts? inputs?
    translations? clipboard attachments? pdfs? scans? ocr screenshots? newsletters? press_releases? testimonials? statements? interviews? speech speeches
    podcasts? videos? recordings? feeds? feedback entries entry essays? drafts? listings? forms? surveys? sources? search_hits? books? headlines? bios? profile_text replies reply
    tool function api webhooks? documentation readme changelog issues? bug_reports? stack_?traces? commits? diffs? fortune_cookies? horoscopes? postcards? telegrams? notices? wills? contracts?
    example examples samples? sentences? characters? persona personas game games role-?play* mail-?text
    nachricht nachrichten brief briefe texte* artikel seite webseite dokument* datei dateien protokoll abschrift mitschrift ausgabe ergebnis antwort zitat* gedicht* lied*
    gespräch* geschichte* roman kapitel absatz auszug anzeige schild zettel bewertung* rezension* kommentar* beitrag anrufbeantworter sprachnachricht* rolle rollenspiel* beispiel* satz sätze weitergeleitet*
    courriel* messages? lettre* textes? articles? pages? documents? fichiers? transcription procès-verbal sortie résultat* citation* poème* paroles chanson* conversation* histoire* roman chapitre
    paragraphe* extrait* annonce* avis commentaire* message_vocal exemple* phrase* transféré*
    correo* mensaje* carta* textos? artículo* página* documento* archivo* transcripción acta salida resultado* cita citas poema* letra canción conversación historia* novela capítulo párrafo* extracto anuncio*
    reseña* comentario* nota_de_voz ejemplo* frase* oración reenviado*
    messaggi* lettera lettere testo testi articolo pagina documento file trascrizione verbale risultato* citazione poesia canzone conversazione storia romanzo capitolo paragrafo estratto annuncio recension* commento
    esempio frasi inoltrato
    mensagem mensagens carta texto textos artigo página arquivo transcrição ata resultado citação poema letra música conversa história romance capítulo parágrafo trecho anúncio avaliaç* comentário exemplo encaminhada
    bericht berichten brief tekst* artikel pagina document bestand verslag uitvoer resultaat citaat gedicht lied gesprek verhaal roman hoofdstuk alinea fragment advertentie recensie reactie voorbeeld zin doorgestuurd
    meddelande* brev text artikel sida dokument fil protokoll utskrift resultat citat dikt sång samtal berättelse recension kommentar besked tekst
    wiadomoś* list listu tekst tekstu artykuł* strona dokument* plik transkrypcja wynik cytat wiersz piosenk* rozmow* historia opowiadani* recenzj* komentarz* przykład zdani*
    письм* сообщени* текст* стать* страниц* документ* файл* расшифровк* протокол* вывод результат* цитат* стих* песн* разговор* истори* роман* глав* абзац* отрывок объявлени* отзыв* комментари* пример* предложени*
    переслан* e-posta mesaj* mektu* metin metni viesti kirje teksti üzenet levél szöveg zpráva dopis`),
  /邮件|郵件|短信|消息|讯息|信件|来信|文章|文本|文字|网页|网站|文档|文件|记录|歌词|故事|小说|对话|聊天|评论|引用|例句|句子|段落|台词|メール|メッセージ|手紙|文章|記事|ページ|文書|歌詞|物語|会話|レビュー|引用|本文|テキスト|例文|台本|이메일|메일|메시지|편지|글|문장|기사|문서|가사|이야기|대화|리뷰|인용|संदेश|पत्र|लेख|ईमेल|رسالة|نص|مقال|بريد/u,
);

/** Verbs of tasks on a text that is handed over. */
export const TASKS = anyOf(
  wordsLike(`
    translat* summar* proofread* proof-read* paraphras* rephras* reword* rewrit* shorten* condens* transcrib* spell-?check* grammar tl;?dr tldr analys* analyz* classif* annotat* critiqu* punctuat* polish typos?
    correct edit improve fix simplify explain interpret review check extract rate evaluate debug format convert categorize label parse decode summary translation continue complete
    übersetz* zusammenfass* fasse fass korrigier* lektorier* umformulier* formulier* kürz* verbesser* analysier* erklär* prüf* bewert* klassifizier*
    tradui* traduc* résum* résumé corrig* reformul* raccourci* amélior* analyse* explique* relis* relire
    resum* corrige* corrija* corríje* reformul* acort* mejor* analiza* explica* revis*
    riassum* correggi* riformul* accorci* miglior* analizz* spieg* riscriv*
    traduz* resuma* melhor* analis* revise* reescrev*
    vertaal* vat samenvat* corrigeer* herschrijf* verbeter* controleer* analyseer*
    översätt* sammanfatta* rätta korrigera* förbättra* oversæt* oversett* opsummer* oppsummer* ret
    przetłumacz* streś* podsumuj* popraw* skróć przeanalizuj* wyjaśnij sprawdź
    перевед* перевест* перевод* кратко_перескаж* перескаж* резюмир* исправ* проверь* проанализ* объясн* сократ* отредактир* перепиши*
    çevir* özetle* düzelt* käännä tiivistä korjaa fordítsd foglald javítsd přelož* shrň* oprav*`),
  /翻译|翻譯|总结|總結|概括|改写|润色|纠正|修改|校对|摘要|翻訳|要約|校正|添削|訳して|直して|번역|요약|교정|고쳐|अनुवाद|सारांश|ترجم|لخص|صحح/u,
);

/** Words that point at a text beside them. */
export const POINTING = anyOf(
  wordsLike(`
    this these following below as_follows it that above the_above them here
    dies diese* das folgende* unten hier folgt obige* oben
    ceci ce cet cette suivant* ci-dessous cela ci-dessus voici
    esto este esta siguiente* abajo eso anterior aquí
    questo questa seguente* sotto quanto_segue sopra
    isto este esta seguinte* abaixo isso acima
    dit deze volgende onderstaande hieronder bovenstaande
    detta denna följande nedan dette denne følgende nedenfor ovan
    to ten tę następując* poniżej powyższ*
    это этот эту следующ* ниже выше
    bunu şu aşağıdaki yukarıdaki tämä seuraava ezt alábbi toto následující`),
  /以下|下面|这|這|上面|上述|次の|これ|この|上の|下記|다음|아래|이것|위의|이 |निम्न|यह|इस|التالي|هذا/u,
);

/** Games, plays and stories, in which "I" is somebody invented. */
export const FICTION = anyOf(
  wordsLike(`
    let['’]?s_(?:role-?|role_)?play pretend role-?play role_play role-?playing role_playing once_upon_a_time act_as stay_in_character imagine_(?:that|you|you're|you['’]re|i|i['’]m|we)
    (?:for|in|from)_(?:my|the|our|a|this)_(?:story|novel|play|script|game|sketch|screenplay|scene|poem|song|musical|comic|campaign|fanfic|book|short_story)
    you_are_(?:now_)?(?:a|an)_(?:pirate|wizard|knight|character|actor) your_character my_character my_persona the_narrator
    für_(?:meine|die|eine)_(?:geschichte|szene) (?:für|in)_(?:meinem|meinen|den)_roman stell_dir_vor tu_so_als rollenspiel spielen_wir
    pour_(?:mon|ma)_(?:histoire|roman|pièce) imagine_que jouons faisons_comme_si jeu_de_rôle il_était_une_fois
    para_mi_(?:cuento|novela|historia|obra) imagina_que juguemos juego_de_rol érase_una_vez
    per_(?:il_mio_romanzo|la_mia_storia) immagina_che facciamo_finta giochiamo c['’]era_una_volta
    para_(?:a_minha_história|o_meu_romance|minha_história|meu_romance|meu_conto) imagine_que vamos_brincar faz_de_conta era_uma_vez
    voor_mijn_verhaal stel_je_voor doe_alsof rollenspel er_was_eens
    för_min_berättelse låtsas rollspel föreställ_dig det_var_en_gång
    do_mojego_opowiadania wyobraź_sobie udawaj zabawmy_się
    для_моего_рассказа представь давай_поиграем ролевая_игра жил-?был*`),
  /角色扮演|假装|假設|假设你|想象你|扮演|ロールプレイ|なりきって|のふりをして|역할극|역할놀이|인 척/u,
);

/** What the user announces: before a colon, the words after it are the user's own. */
export const OWN_LABELS = anyOf(
  wordsLike(`
    yes yeah yep no nope ok okay sure right well so and but hi hello hey thanks note notes notice_for_you reminder reminders remember update updates fyi ps p\\.s btw heads-?up correction corrections edit important info information detail details fact facts things? point points
    rule rules request requests instruction instructions preference preferences question questions answer background context news context_for_you also for_the_record to_be_clear
    remember_this memo_to_self goal goals plan plans todo about_me bottom_line summary_of_me name names nickname age birthday job work profession home city town country address diet
    allergy allergies food hobby hobbies family kids pets health language languages phone email mail timezone likes dislikes favou?rites? location gym doctor school university employer company role
    status problem issue task idea hint warning tip disclaimer confession fun_fact quick_fact style tone format formatting output_style response_style level experience dreams? wish wishes mood
    ask always never from_now_on in_future one_more real_life in_real_life irl out_of_character seriously im_echten_leben en_vrai en_la_vida_real nella_vita_reale reason because example_of_me self me myself today yesterday tomorrow now currently this_week next_week since_then morning evening
    hinweis notiz notizen wichtig übrigens zur_info info merke merk merken erinnerung korrektur nachtrag regel regeln bitte frage vorliebe vorlieben allergie* wohnort beruf über_mich hintergrund kurz kurze_info update aktuell
    note_à_moi-même rappel important info règle* préférence* allergie* au_fait à_savoir à_noter pour_info profession ville à_propos_de_moi souviens-toi retiens petite_précision précision
    nota notas recordatorio recuerda importante aviso regla* preferencia* alergia* por_cierto ojo dato datos sobre_mí ciudad trabajo profesión para_tu_información
    promemoria ricorda regola regole preferenz* allergi* tra_l'altro a_proposito su_di_me città lavoro
    lembrete lembra lembre* regra* preferênci* alergia* a_propósito sobre_mim cidade trabalho
    let_op onthoud herinnering belangrijk regel* voorkeur* trouwens over_mij weetje
    obs kom_ihåg viktigt påminnelse husk vigtigt viktig
    uwaga ważne przypomnienie pamiętaj zasada* przy_okazji o_mnie
    важно заметка запомни напоминание правило правила кстати обо_мне примечание аллергия
    önemli not unutma`),
  /注意|备注|備註|记住|記住|提醒|更正|关于我|顺便|过敏|姓名|职业|メモ|注意|覚えて|ちなみに|お願い|アレルギー|私について|참고|기억해|주의|알레르기|याद रखें|ध्यान दें|ملاحظة|تذكر/u,
);

/** The first and the second person, which the user and the assistant are to each other. */
export const FIRST_PERSON = anyOf(
  wordsLike(`
    i i['’](?:m|ve|ll|d) me my mine we our us ich mich mir mein* wir uns unser* je j['’]\\p{L}* me moi mon ma mes nous notre nos yo mi mis nosotr* io mio mia miei noi eu meu minha meus
    ik mij mijn wij ons jag mig min mitt jeg meg mit mam mój moja moje jestem mieszkam я мне мой моя мои меня мы ben benim minä minun`),
  /我|私|僕|俺|나는|내|저는|제|मैं|मेरा|मेरी|أنا/u,
);
export const SECOND_PERSON = anyOf(
  wordsLike(
    "you your yours you['’](?:re|ve|ll|d) du dich dir dein* sie ihnen tu te toi ton vous votre tú ti usted tuo você je jij jouw u ditt din ty ci ты тебе вы вам sen sana",
  ),
  /你|您|あなた|君|너|당신|आप|أنت/u,
);
/** Forms of requests and instructions. */
export const ORDERS = wordsLike(`
  always never please don't do_not don’t must from_now_on only whenever immer nie niemals bitte toujours jamais siempre nunca sempre mai nooit altijd alltid aldrig aldri zawsze nigdy всегда никогда her_zaman`);

/** Words at the start of a paragraph with which the user takes the word again. */
export const RETURNS =
  /^(?:anyway|anyways|btw|by the way|as for (?:me|my)|on (?:another|a different|an unrelated|a personal) (?:note|topic)|separately|unrelated|besides that|apart from (?:that|this)|other than that|that['’]s (?:all|it|the|what)|that was|this was|so much for|end of|(?:now )?(?:about|back to) (?:me|us|my)|for my part|personally|from (?:my side|me)|my (?:own |actual )?(?:question|answer|view|take|thoughts|reply|request)|what (?:do|should|would) (?:you|i)|how (?:do|should|would) (?:you|i)|(?:is|does|did) (?:this|that|it|she|he)\b|regardless|also,? (?:i|my|remember|please|note)|one more thing|and (?:now )?(?:about|for) (?:me|you)|some(?:thing)? (?:facts )?about (?:me|myself)|(?:can|could|would|will) you|übrigens|jedenfalls|zu mir|was mich (?:betrifft|angeht)|ansonsten|soweit|das (?:war|wäre)|ende (?:der|des)|meine (?:eigene )?(?:frage|antwort|meinung)|was (?:soll|meinst|hältst)|au fait|bref|quant à moi|pour ma part|de mon côté|voilà|c['’]est tout|fin (?:de|du)|ma question|qu['’]en penses|por cierto|en fin|en cuanto a mí|por mi parte|eso es todo|fin del?|mi pregunta|qué (?:opinas|te parece)|comunque|a proposito|per quanto mi riguarda|da parte mia|ecco|fine del|tra l['’]altro|aliás|a propósito|enfim|quanto a mim|da minha parte|é isso|trouwens|hoe dan ook|wat mij betreft|einde|förresten|hur som helst|för min del|for øvrig|forresten|zresztą|przy okazji|a propos|co do mnie|z mojej strony|кстати|в общем|что касается меня|со своей стороны|bu arada|顺便|另外|至于我|总之|ちなみに|ところで|私は|私の方|그나저나|참고로|저는|वैसे|بالمناسبة|أما أنا)(?![\p{L}\p{N}])/iu;
/** The same anywhere in the first sentence of a paragraph. */
export const ASIDES =
  /(?<!\p{L})(?:by the way|btw|anyway|übrigens|au fait|por cierto|a proposito|tra l['’]altro|a propósito|trouwens|förresten|przy okazji|кстати|bu arada)(?!\p{L})|顺便|ちなみに|그런데|참고로/iu;

/** Header fields of mails, in the languages of common clients. */
export const MAIL_FIELD =
  /^[*_\s|]*(?:from|to|cc|bcc|date|sent|subject|reply-to|message-id|received|return-path|von|an|datum|gesendet|betreff|antwort an|de|à|a|objet|envoyé|date d['’]envoi|expéditeur|destinataire|para|asunto|enviado(?: el| em)?|fecha|remitente|da|oggetto|inviato|data|mittente|destinatario|assunto|remetente|aan|onderwerp|verzonden|afzender|från|till|ämne|skickat|fra|til|emne|sendt|dato|od|do|temat|wysłano|от|кому|тема|дата|отправлено|копия|kimden|kime|konu|tarih|lähettäjä|vastaanottaja|aihe|lähetetty|feladó|címzett|tárgy|odesílatel|komu|předmět|发件人|收件人|主题|日期|发送时间|抄送|寄件者|收件者|主旨|差出人|宛先|件名|日付|送信日時|보낸 사람|받는 사람|제목|날짜|보낸 날짜|من|إلى|الموضوع|التاريخ)[*_\s]*[:：][*_]*(?:\s|$)/iu;
/** Fields that head a mail even alone. */
export const MAIL_SUBJECT =
  /^[*_\s]*(?:subject|re|fwd?|aw|wg|tr|rv|betreff|objet|asunto|oggetto|assunto|onderwerp|ämne|emne|temat|тема|主题|件名|제목|konu)[*_\s]*[:：]\s+\S/iu;

/** The opening of a letter, whose words are those of its writer. */
const SALUTATION =
  /^\s*(?:(?:dear|dearest|liebe[rs]?|sehr geehrte[rs]?|chère?s?|estimad[oa]s?|querid[oa]s?|gentile|egregi[oa]|car[oa]|carissim[oa]|prezad[oa]s?|geachte|beste|kära?|bästa|kjære|kære|drog[ia]|szanown[ya]|уважаем(?:ый|ая|ые)|дорог(?:ой|ая|ие)|sevgili|sayın|hyvä|rakas|kedves|milý|milá|vážený|vážená)(?: \p{L}[\p{L}.'’-]*){1,4}[,!:]?|to whom it may concern[,:]?|尊敬的.{1,12}|亲爱的.{1,12}|親愛的.{1,12}|.{1,12}様|拝啓.{0,12}|.{1,12}님께)\s*$/iu;
const LISTENERS = wordsLike(
  "assistant ai agent bot chatbot claude chatgpt gpt gemini copilot team assistent asistente",
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
  /^\s*(?:(?:best|kind|kindest|warm|warmest)(?: personal)? (?:regards|wishes)|regards|sincerely(?: yours)?|yours(?: sincerely| truly| faithfully)?|respectfully|cordially|with (?:love|kind regards|best wishes)|all the best|take care|hugs(?: and kisses)?|your (?:friend|loving \p{L}+)|mit (?:freundlichen|besten|lieben|herzlichen) grüßen|(?:viele|liebe|beste|herzliche|freundliche|schöne) grüße|hochachtungsvoll|gruß|lg|mfg|bien (?:à vous|cordialement|à toi)|cordialement|salutations|amicalement|sincères salutations|bises|bisous|(?:un )?(?:cordial )?saludos?(?: cordiales)?|un abrazo|atentamente|atte|cordiali saluti|distinti saluti|saluti|un abbraccio|atenciosamente|cumprimentos|(?:um )?abraços?|met vriendelijke groet(?:en)?|(?:hartelijke |vriendelijke )?groet(?:en|jes)?|med (?:vänlig|venlig|vennlig) (?:hälsning|hilsen)|(?:vänliga )?hälsningar|(?:mange )?hilsen(?:er)?|z poważaniem|pozdrawiam|pozdrowienia|с уважением|с наилучшими пожеланиями|saygılarımla|ystävällisin terveisin|üdvözlettel|s pozdravem|此致|敬上|敬具|祝好|よろしくお願いします|드림|올림|مع أطيب التحيات)[,.!，]?\s*$/iu;
/** Closings that people also use toward an assistant. */
export const THANKS =
  /^\s*(?:thanks|many thanks|thank you|cheers|love|xoxo|xx|best|talk soon|danke|merci|gracias|grazie|obrigad[oa]|bedankt|tack|dzięki|спасибо|谢谢|ありがとう|감사합니다)[,.!]?\s*$/iu;
/** What may follow a signature and belongs to the letter. */
export const POSTSCRIPT =
  /^\s*(?:p\.?\s?s\.?\s?[:.]?\s|ps:|sent from|sent via|gesendet von|envoyé (?:de|depuis)|enviado desde|inviato da|get outlook|this (?:e-?mail|message)|confidential|disclaimer|diese e-?mail|ce message|este (?:correo|mensaje)|unsubscribe|--|tel|phone|mobile|https?:)/iu;
