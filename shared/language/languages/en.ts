import { stemmer as porter } from "stemmer";
import { IRREGULAR_FORMS } from "../../kernel/text/english.ts";
import { foldAccents } from "../../kernel/text/fold.ts";
import { stem } from "../../kernel/text/text.ts";
import type { LanguagePack } from "./pack.ts";

const IRREGULAR_PAST = `was were did didn wasn weren hadn couldn had been went saw came took gave got made said told left met felt found kept began ran
  wrote bought brought caught taught thought spoke broke drove flew grew knew threw drew ate drank sang swam slept spent
  sent built lost won paid sold stood understood heard held became chose wore fell woke rode rose hid forgot hurt quit dreamt
  learnt sat fought sought led fed bred lent bent meant dealt shook stole froze tore swore blew shot stuck struck hung dug
  laid died gone seen`;

export const en = {
  name: "English",
  /** An irregular form may have two readings: lives is a form of "to live" and of "life". */
  stems(word) {
    const folded = foldAccents(word);
    return IRREGULAR_FORMS.has(folded) ? [...new Set([porter(folded), stem(folded)])] : [stem(folded)];
  },
  functionWords: `the of and to is are were was been be have has had with for from that this these those it its my your our their
     his her i im ive we you they she he not dont at by about which what who when where will would can could should
     after before into how why did does do as on if or but than then there me him us them`,
  markers: `
    over prefer prefers like likes love loves hates drinks eats tea works lives plays reads speaks owns wants knows allergic married
    s t d m ll ve re no am an so own under two said just please never up like say every tell need new again more
    always last know three good get still told give use put year left ask work read here off since back only got
    yes because really don anyone today tomorrow okay thanks make want also some any much very one now out time
    day first says mum going years moved write th dad four used wrong take old may people nothing five night days
    eat phone six down call thing sister long called dog kids mother morning cancelled wife help march everything
    lives next number sold anything june too mr friday until isn home second doing brother month house flat gone
    allergic gave longer mean something nobody died wants leave see came well someone english ever speak words
    changed letter thursday moving getting stopped right thank went quit drive run actually nah asked small eight
    find without other same room coffee monday milk answer lost both life till done whole list way free talk
    retired forty explain dead team bought order mine sunday passed translate everyone better office daughter
    asking instead size think tuesday runs pm thirty landlord short sign many best suggest let birthday dropped
    through spring weeks took christmas line already rule full knee pay less even food manager st little having
    else nights law found start father account cousin book married turn sugar draft quote spanish anymore near
    finally doesn times saturday goes change eleven fix dear made between form enough remind neighbour easter card
    starting january yet lot rd joined makes turns twice mind mrs named look myself big husband reply being
    vegetarian set maybe started bit course type vet key quiet black person rent hi red wrote works rather wait
    great fell swapped insurance learning uncle though none believe comes switched round gym trip yeah learn
    coeliac february asks move hate most somebody ate things floor forget cold taking cancel date send coming
    needs paper prefer cannot sleep walk heart knows world friend nice ones july seven lived fire hand october
    show health box hours mornings turned yesterday pressure evening family away mostly keys church fridays blood
    girl notes window head means wednesdays break green driving saying hour laugh finished miss leaving taken
    allergy buy broke girls reading wear exam living swear post case hates quick money booked water cried test
    nearly jan daily r scrap self rest noon hear safe ends nuts polite update eating council handed writing street
    hot check dinner meant starts sent fridge shut future drop calls marks high ${IRREGULAR_PAST}`,
  dates: {
    months:
      "january|jan;february|feb;march|mar;april|apr;may;june|jun;july|jul;august|aug;september|sept|sep;october|oct;november|nov;december|dec",
    weekdays:
      "monday|mon;tuesday|tues|tue;wednesday|weds|wed;thursday|thurs|thur|thu;friday|fri;saturday|sat;sunday|sun",
    habits: "mondays;tuesdays;wednesdays;thursdays;fridays;saturdays;sundays",
    ambiguous: "jan|mar|march|april|may|june|august|aug|jun|sep|dec|mon|wed|weds|fri|sat|sun|tue|thu|thur",
    units:
      "minute|minutes|min|mins;hour|hours|hr|hrs;day|days;week|weeks;weekend|weekends;month|months;year|years|yr|yrs",
    seasons: "spring;summer;autumn|fall;winter",
    numbers:
      "one|a|an;two;three;four;five;six;seven;eight;nine;ten;eleven;twelve;thirteen;fourteen;fifteen;sixteen;seventeen;eighteen;nineteen;twenty",
    few: "a few|few|several|some|a couple of|a couple|couple of|couple",
    days: "day before yesterday|the day before yesterday;yesterday|last night;today|tonight|this morning|this afternoon|this evening|tonite;tomorrow|tmrw|tomorow;day after tomorrow|the day after tomorrow",
    periods: {
      "month -6": "half a year ago",
      "month 0": "the end of the month|end of the month|end of this month",
      "year 0": "the end of the year|end of the year|end of this year",
    },
    last: "last|past|previous",
    beforeLast: "before last",
    ordinals:
      "first|1st;second|2nd;third|3rd;fourth|4th;fifth;sixth;seventh;eighth;ninth;tenth;eleventh;twelfth;thirteenth;fourteenth;fifteenth;sixteenth;seventeenth;eighteenth;nineteenth;twentieth;twenty-first;twenty-second;twenty-third;twenty-fourth;twenty-fifth;twenty-sixth;twenty-seventh;twenty-eighth;twenty-ninth;thirtieth;thirty-first",
    this: "this|current",
    next: "next|following",
    coming: "coming|upcoming|this coming",
    nextIsOfNextWeek: true,
    pastMany: "last|past|previous",
    nextMany: "next|coming|following",
    ago: "ago",
    fromNow: "from now|from today",
    ahead: "in",
    later: "later|after that",
    nextDay: "the next day|the following day|the day after",
    every: "every|each",
    everyOther: "every other|every second",
    onDay: "on|dated",
    noDate:
      "black friday|good friday|cyber monday|ash wednesday|man friday|may day|good morning|day one|sunday school|march on|second hand",
    on: "starting|beginning|on|in|at|during|around|about|before|after|of|for|by|early|mid|late|end of|beginning of|start of|middle of|dated|due|next to|as of",
    weak: "for|of|about|around",
    since: "since|ever since",
    until: "until|till|til|by|due",
    before: "before|prior to",
    after: "after|following",
    from: "from",
    to: "to|through|thru|until|till",
    between: "between",
    and: "and",
    article: "the|of",
    at: "at|@|by|around",
    oclock: "o'clock|hours|hrs",
    isEnglish: true,
    am: "in the morning|morning|this morning",
    pm: "in the afternoon|in the evening|at night|afternoon|evening|night|tonight|this evening|this afternoon|last night",
    lasting: "for",
    approximate: "about|around|almost|nearly|roughly|over|some",
    holidays: {
      "12-25": "christmas|christmas day|xmas",
      "12-24": "christmas eve",
      "12-31": "new year's eve|new years eve",
      "1-1": "new year's day",
      "10-31": "halloween",
      "2-14": "valentine's day|valentines day",
    },
    due: "deadline|due|date|dated|eta|dob|expires|expiry|birthday",
    moves: {
      verb: /^(?:mov|push|postpon|reschedul|delay|deferr?|shift|slipp?|extend|bump)ed$|^(?:put|brought|set)$/,
      to: /^(?:to|until|till)$/,
    },
    past: new RegExp(`^(?:${IRREGULAR_PAST.split(/\s+/).join("|")}|\\p{L}{2,}ed)$`, "u"),
    future:
      /^(?:will|ll|won|shall|gonna|going|plan|plans|planning|must|should|need|needs|want|wants|let|due|deadline|would|could|can|might|hope|hopes|expect|expects|scheduled|booked|upcoming|please|tomorrow)$/,
    present:
      /^(?:am|is|are|be|being|do|does|don|m|re|has|have|runs?|starts?|begins?|ends?|opens?|closes?|leaves?|arrives?|expires?|renews?|launch(?:es)?|takes?|happens?|departs?|returns?|moves?|comes?|goes|go|flies|fly|falls?|visits?|meets?|plays?)$/,
    functionWords:
      "the|of|and|but|so|because|to|is|are|was|were|been|have|had|with|for|from|that|this|these|it|its|my|your|our|their|his|her|i|we|you|they|she|he|not|at|by|about|what|who|when|will|would|can|on|in|me|us|a|an|last|ago|next",
  },
  questions: {
    interrogatives: "what which who whose whom how when where why whats whos",
    before: "before used previously previous former formerly first original originally earlier old ex once",
    cause: "why|reason|because|since|until|change|changes|changed|how come|what made|what caused",
    past: "was were did back then history ago",
    polar: "did was were has have had is are does do",
    now: "now|nowadays|currently|current|present|presently|still|today|latest|newest|these days|at the moment|as of now",
    time: "when",
    asked: {
      bloodGroup: "blood group|blood type",
      otherName: "surname|last name|first name|maiden name|family name",
      code: "phone|telephone|password|passcode|pin|passport|plate|code|number|numbers",
      age: "age|how old",
      colour: "colour|color",
      amount: "salary|price|cost|costs|wage|earn|how much|how many|how tall|how far|how long|how big|how high|how fast",
      name: "name|names|named|called|title|make|brand",
    },
    from: "from",
  },
  values: {
    measures:
      "euros?|eur|usd|dollars?|pounds?|chf|yen|km|kms|m|cm|mm|kg|g|mg|ml|l|mb|gb|kb|ms|kwh|watts?|volts?|px|hz|mhz|rpm|points?|people|users?|customers|units?|copies|times|steps?|words|miles|meters?|metres?|calories|kcal|pages?",
    streetsAfter:
      "street|st|road|rd|avenue|ave|lane|place|square|court|close|crescent|terrace|boulevard|blvd|drive|way|park|plaza|hall",
    nights: "night",
    numbers: `
      one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred
      thousand half dozen once twice`,
    colours: `
      red blue green yellow black white grey gray brown orange purple pink silver gold beige turquoise ginger`,
    ages: "year years old aged age turned turns born birthday",
    genitives: "of",
  },
  recall: {
    references:
      "yes|yeah|yep|no|nope|not really|sure|exactly|both|neither|either|same|because|he|she|it|they|them|this|that|these|those|there|the (?:first|second|other|latter|former|last)(?: one)?",
    emptyWords: "name names named call called tell know kind type sort",
    assistant: "you your assistant",
    assistantSaid:
      "did you|have you|had you|you advised|you mentioned|you offered|you promised|you proposed|you recommended|you said|you suggested|you told",
    happened: "happen happened happening event events memories was in an",
    denials: `
      no not never off dead cancelled canceled withdrew isn't aren't wasn't weren't don't doesn't didn't won't
      can't couldn't wouldn't`,
    introductions: "my name is|call me",
  },
  salience: {
    fillers: `
      a an the am is are was were be been being have has had having do does did doing will shall it its that
      there here so very really just quite too also then well oh hey hi hello wow ok okay hmm um uh haha lol
      gosh ah aww huh actually basically literally honestly definitely totally im ive id youre youve theyre
      weve hes shes thats theres`,
    prepositions: `
      of at by for with about into to in on from as and or this these those such like up out off over around
      through`,
    courtesies: `
      please thanks thank sorry sure understood noted updated anything else would could let get got getting
      make made going go`,
    pronouns: `
      i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers
      herself they them their theirs themselves who whom whose what which when where how why`,
    vital: `
      not no never nor neither none nobody nothing nowhere without cannot cant dont doesnt didnt wont wouldnt
      isnt arent wasnt werent hasnt havent hadnt shouldnt mustnt couldnt neednt aint cancel cancels canceled
      cancelled cancellation off out over stop stopped stops quit anymore longer instead except unless only
      until till if otherwise must may might refuse refused reject rejected declined denied forbidden
      prohibited banned allergic allergy allergies intolerant intolerance dose mg dead died death deadline due
      avoid against before after least most maximum minimum excludes excluding lost`,
  },
  conversations: {
    limits:
      "budget|limit(?:ed)?|cap(?:ped)?|ceiling|maximum|max|minimum|min|at (?:most|least)|than|below|under|above|over|up to|between|exceed|afford",
    done: "done|completed?|finished|sent|(?:I|we)(?:'ve| have)|(?:has|have) (?:now |just |already )?been|(?:is|are) now|(?:is|are) (?:all )?(?:ready|set|booked|scheduled|updated|changed|reset|shipped|cancell?ed)|here (?:is|are)|here's|booked|scheduled|shipped|refunded|updated|removed|deleted|added|paid|called|ordered",
    justDone:
      "(?:all )?(?:done|set)|finished|completed|sent|booked|updated|removed|deleted|added|it(?:'s| is) done|that(?:'s| is) done",
    takenBack: "never ?mind|no need|forget (?:it|that|about)|don't bother|not (?:necessary|needed) any ?more",
    uncertain: "not|will|would|should|might|may|if|once|until|when|to be|could",
    offers: String.raw`\b(?:shall|should|may|can) I\b|\b(?:would you like|do you want|want) me to\b|^(?:do you )?(?:want|need) (?:a|an|the)\b`,
    assents: "yes|yeah|yep|yup|sure|please|ok(?:ay)?|go ahead|of course|gladly|definitely|absolutely|do it|do that",
    settled: String.raw`agreed|deal|refund(?:ed|s)?|replac\p{L}+|resolved|solved|fixed|sorted|booked|confirmed|scheduled|arranged|approved|accepted|issued|sent|shipp\p{L}+|credited|cancell?ed|upgraded|works now|(?:i|we)(?:'ll| will|'ve| have)|you(?:'ll| will) (?:get|receive|have)`,
  },
  procedures: {
    conditionLabels: "symptoms?|problem|incident|post-?mortem|issue|alert|alarm|error|trigger|situation|condition",
    remedyLabels: String.raw`fix|resolution|solution|mitigation|remedy|workaround|actions?(?:\staken)?|response|runbook|recovery|what to do|how to fix`,
  },
  cues: {
    negations: `
      not never no none neither nor don't doesn't didn't won't can't cannot isn't aren't wasn't haven't hasn't
      without`,
    imagined: "if would i'd we'd wish maybe perhaps might could imagine",
    claimed: "says claims thinks believes reckons insists suggests apparently allegedly supposedly reportedly",
    formerly: "formerly previously",
    cancelled: "is off|are off|was off|called off|cancell?ed|off the table",
    lasting: "always never ever every whenever only anymore future default",
    clauseOpenings: "and|but|because|while",
    firstPerson: "i i'm i've i'll i'd we we're we've",
    thirdPerson: "he she they he's she's they're",
    others: `
      mother mum mom father dad parents sister brother wife husband partner boyfriend girlfriend fiancé
      fiancée son daughter kid kids child children grandma grandpa grandmother grandfather aunt uncle cousin
      niece nephew friend neighbour neighbor colleague coworker co-worker boss manager flatmate roommate dog
      cat doctor teacher landlord`,
  },
  mentions: {
    since: "since from starting as",
    until: "until till til through",
    determiners: "my our the a an",
  },
  assertions: {
    denials: "cancelled canceled couldnt wouldnt nobody",
    conditions: "if unless wish maybe perhaps",
    plans: "would could might hope hoping will shall gonna ill wanna plan planning planned should",
    clockPrepositions: "at|by|from|until|till",
    measures: "minutes hours",
    generic: `
      today yesterday tomorrow tonight morning afternoon evening night noon week weeks weekend month months
      year years day days hour hours minute minutes mondays tuesdays wednesdays thursdays fridays saturdays
      sundays may jan feb mar apr jun jul aug sep oct nov dec spring summer autumn winter time times now then
      soon later ago once twice again still already yet always often sometimes usually really very quite pretty
      just only even also too almost finally actually though anyway maybe well back away here there everywhere
      first second third last next new old good great nice bad better best worse big small little long short
      more most less least much many few some any every each other another same own thing things stuff bit lot
      one two three four five six seven eight nine ten half round number something someone everyone everything
      nothing anything be am is are was were been being have has had having do does did done doing get got gets
      getting go goes going gone went come comes came coming make makes made making take takes took taken
      taking give gave given put say says said saying tell told think thought know knew like liked want wanted
      need needed let keep kept seem seems look looks looked feel felt become became can says call called see
      saw seen left right since until till ever least lol ok okay yes yeah yep oh hey hi hello thanks thank
      please sorry lol haha btw tbh whole kind sort way start started end ended use used using try tried show
      showed shown`,
  },
  voices: {
    speech: `
      say says said saying tell tells told write writes wrote written read reads ask asks asked reply replies
      replied answers answered claims claimed states stated announces announced explains explained posts
      posted tweets tweeted comments commented texts texted messaged emailed adds added continues goes
      whispers whispered shouts shouted sings sang begins dictated quoted replying responded responds mentions
      mentioned`,
    texts: `
      e-?mails? mails? messages? letters? texts? sms dms? posts? tweets? comments? reviews? sites? blogs?
      transcripts? transcriptions? outcome responses? quotes? quotations? citations? poems? lyrics? songs?
      chats? conversations? dialogues? dialogs? threads? tickets? voicemails? voice_?mails? stories story
      novels? plays? scripts? scenes? screenplays? chapters? verses? paragraphs? passages? abstracts? excerpts?
      extracts? signs? stickers? posters? flyers? leaflets? captions? memos? diary diaries journals? prompts?
      inputs? translations? clipboard attachments? pdfs? scans? ocr screenshots? newsletters? press_releases?
      testimonials? statements? interviews? speech speeches podcasts? videos? recordings? feeds? feedback
      entries entry essays? drafts? surveys? sources? search_hits? books? headlines? bios? profile_text replies
      reply tool function api webhooks? issues? bug_reports? fortune_cookies? horoscopes? postcards? telegrams?
      notices? wills? example examples samples? sentences? characters? persona personas game games role-?play*
      mail-?text`,
    tasks: `
      translat* summar* proofread* proof-read* paraphras* rephras* reword* rewrit* shorten* condens*
      transcrib* spell-?check* grammar tl;?dr tldr analys* analyz* classif* annotat* critiqu* punctuat* polish
      typos? correct edit improve fix simplify explain interpret review check extract rate evaluate debug
      format convert categorize label parse decode summary translation continue complete`,
    pointing: "this these following below as_follows it that above the_above them here",
    fiction: `
      let['’]?s_(?:role-?|role_)?play pretend role-?play role_play role-?playing role_playing once_upon_a_time
      act_as stay_in_character imagine_(?:that|you|you're|you['’]re|i|i['’]m|we)
      (?:for|in|from)_(?:my|the|our|a|this)_(?:story|novel|play|script|game|sketch|screenplay|scene|poem|song|musical|comic|campaign|fanfic|book|short_story)
      you_are_(?:now_)?(?:a|an)_(?:pirate|wizard|knight|character|actor) your_character my_character
      my_persona the_narrator`,
    ownLabels: String.raw`
      yes yeah yep no nope ok okay sure right well so and but hi hello hey thanks note notes notice_for_you
      reminder reminders remember update updates fyi ps p\.s btw heads(?:-|_)?up correction corrections edit
      important info information detail details fact facts things? point points rule rules request requests
      instruction instructions preference preferences question questions answer background context news
      context_for_you also for_the_record to_be_clear remember_this memo_to_self goal goals plan plans todo
      about_me bottom_line summary_of_me name names nickname age birthday job work profession home city town
      country address diet allergy allergies food hobby hobbies family kids pets health language languages
      phone email mail timezone likes dislikes favou?rites? location gym doctor school university employer
      company role status problem issue task idea hint warning tip disclaimer confession fun_fact quick_fact
      style tone format formatting output_style response_style level experience dreams? wish wishes mood ask
      always never from_now_on in_future one_more real_life in_real_life irl out_of_character seriously reason
      because example_of_me self me myself today yesterday tomorrow now currently this_week next_week
      since_then morning evening`,
    firstPerson: "i i['’](?:m|ve|ll|d) me my mine we our us",
    secondPerson: "you your yours you['’](?:re|ve|ll|d)",
    orders: "always never please don't do_not don’t must from_now_on only whenever",
    documents: `
      articles? pages? websites? papers? documents? docs? files? logs? output outputs results? recipes?
      minutes ads? advertisements? listings? contracts? terms dumps? payloads? codes? snippets? subtitles?
      documentation readme changelog commits? diffs? stack_?traces? tables? forms?`,
    returns: `
      anyways? as_for_(?:me|my) on_(?:another|a_different|an_unrelated|a_personal)_(?:note|topic) separately
      unrelated besides_that apart_from_(?:that|this) other_than_that that['’]s_(?:all|it|the|what|my) that_was
      this_was so_much_for end_of (?:now_)?(?:about|back_to)_(?:me|us|my) for_my_part personally
      from_(?:my_side|me) my_(?:own_|actual_)?(?:question|answer|view|take|thoughts|reply|request)
      what_(?:do|should|would)_(?:you|i) how_(?:do|should|would)_(?:you|i)
      (?:what_)?(?:is|does|did)_(?:this|that|it|she|he) regardless also,?_(?:i|my|remember|please|note)
      one_more_thing and_(?:now_)?(?:about|for)_(?:me|you) some(?:thing)?_(?:facts_)?about_(?:me|myself)
      (?:can|could|would|will)_you for_context for_the_record`,
    asides: "by_the_way btw anyway",
  },
  courtesies: {
    words: `
      hi hey hello hiya yo howdy greetings welcome thanks thank thx ty cheers please sorry apologies pardon
      congrats congratulations bye goodbye ciao later ok okay k kk sure yes yeah yep yup no nope nah right
      exactly absolutely totally definitely indeed agreed great good nice cool awesome amazing perfect
      excellent wonderful fantastic lovely brilliant fine super neat sweet dope lol haha hahaha hehe lmao rofl
      wow whoa omg oh ah aw aww hmm hm uh um er well so anyway alright morning afternoon evening night day
      weekend week luck problem worries idea question course pleasure help got it mate dude bro man buddy
      folks guys everyone there again much very really too you that this the a so my be is s are for your to
      of all no have had and has been what how just i m will do see talk soon`,
    greetings: "hi hey hello good morning afternoon evening dear thanks thank thx bye goodbye welcome",
    answers: "yes yeah yep yup no nope nah never always sometimes",
  },
  outlines: {
    noKeys: `
      note ps fyi btw update correction news edit changed actually first second third firstly secondly
      thirdly finally also anyway and but so oh ah ok okay well hey yes no`,
    changes: String.raw`leav(?:e|es|ing)|left|mov(?:e|es|ed|ing)|chang(?:e|es|ed)|becomes?|became|cancel(?:s|led|ed)?|gone|g(?:i|a)ven? up|back (?:to|in)|drop(?:s|ped|ping)?|not having|won't|allerg\p{L}+|reacted|reaction|no longer|anymore|instead|as of|died|dead|decided|agreed|accepted|rejected|approved|granted|signed|sold|bought|quit|stopp(?:ed|ing)|new|starts?|started|deadline|due`,
    heading: "heading",
  },
  secrets: {
    phrases: "*phrase* mnemonic",
    passwords: `
      password* *password passwd* passcode* passphrase* *passphrase* passkey pass pswd passw pword pwd pw p/w
      requirepass pass_phrase pass_word mnemonic`,
    pins: `
      pin pins *-pin pin-* pin'* pincode* pinnummer puk puk-* cvc cvv cvv2 cvc2 cvc/cvv csc tan *-tan pim
      secret_number`,
    codes: "code codes *code *codes otp 2fa mfa verification verif* confirmation one-time authenticator",
    keys: "key keys *key token tokens *token secret secrets *secret credential* creds api apikey bearer dsn wep psk",
    access: `
      login* logins log logs logged logging logon sign signed signin account* unlock* open opens wi-fi wifi wlan
      network ssid router hotspot portal enter entered type typed typing tap credentials session box everywhere
      everything bank banking vpn server netflix spotify amazon paypal`,
    users: "user users username* userid usr id uid admin root administrator mail email e-mail",
    changes: "changed change set reset switched now new became",
    sent: "sms texted text got received sent sends whatsapp signal",
    others: `
      order orders tracking invoice flight seat gate room train platform booking reservation ticket tickets case
      serial model part sku batch lot article item version error zip postal postcode plate locker door garage alarm
      safe padlock lock keypad lockbox barcode isbn ean imei vin policy meter claim member membership voucher coupon
      promo discount extension ext boarding building floor page chapter phone call tel number bus ski museum season
      rail`,
    devices: `
      phone tablet laptop computer pc ipad iphone mac macbook chromebook screen card sim smartphone chip zip pdf nas
      disk archive vault keepass veracrypt`,
    backups: "backup backups recovery rescue emergency scratch seed wallet metamask ledger trezor mnemonic phrase",
    answers: "question questions answer maiden mother's born secret_question memorable hint pet teacher surname",
    hashes: `
      sha sha1 sha256 sha512 md5 *fingerprint* checksum* digest hash hashes hashed commit commits git revert
      cherry-pick merge branch docker image nonce integrity etag uuid guid base64 certificate cert public publickey
      doi isbn request_id trace_id id_rsa.pub public_key primary_key cache_key idempotency_key publishable_key`,
    examples: "example sample dummy placeholder test fake like such_as e.g",
    equals: "is was",
    copulas: "is was are be equals to as 's set now still with using and it it's it’s its reads says stands",
    notPasswords: `
      wrong right incorrect correct expired expires invalid valid weak strong secure insecure safe unsafe required
      needed missing empty blank unset changed reset updated stored saved hashed encrypted visible hidden shared
      public private known unknown forgotten lost stolen leaked compromised protected temporary permanent new old same
      different unique common easy hard difficult simple complex long short good bad okay fine important necessary
      mandatory optional case-sensitive hosted generated managed rejected accepted here there below above attached ready not no a an the my our
      your his her their its it this that these what which where who how why too very so only just also still already
      always never now being used stuck broken working gone due about in on at for from by with to of and or if when
      because since somewhere something anything everything nothing yes none null undefined see ask please string str
      text number boolean bool any bluetooth swipe pattern gesture difficulty ease fingerprint thumb thumbprint face
      key keys card phone remote touch button badge passkey smartcard mouse keyboard voice mine yours`,
    passports: "passport|id card|identity card|driving licence|driver['’]s licen[cs]e",
  },
  names: {
    days: `
      christmas easter halloween thanksgiving ramadan diwali hanukkah lent eid xmas pentecost carnival
      epiphany`,
  },
  moods: {
    lasting: "from now on|in (?:the )?future|for future reference|every (?:day|morning|evening|night|week|month)",
  },
  mails: {
    mailFields: "from|to|cc|bcc|date|sent|subject|reply-to|message-id|received|return-path",
    mailSubjects: "subject|re|fwd?",
    salutations: "dear|dearest",
    openings: "to whom it may concern[,:]?",
    greetings: "hi|hello|hey",
    closings: String.raw`(?:best|kind|kindest|warm|warmest)(?: personal)? (?:regards|wishes)|regards|sincerely(?: yours)?|yours(?: sincerely| truly| faithfully)?|respectfully|cordially|with (?:love|kind regards|best wishes)|all the best|take care|warmly|hugs(?: and kisses)?|your (?:friend|loving \p{L}+)`,
    thanks: "thanks|many thanks|thank you|cheers|love|xoxo|xx|best|talk soon",
    postscripts: "sent from|sent via|get outlook|this (?:e-?mail|message)|confidential|disclaimer|unsubscribe",
    assistants: "assistant|ai|agent|bot|chatbot|team",
  },
  intros: {
    repeats:
      "(?:as |like )?i(?:['’]ve| have)? (?:already |just |always |once )?(?:say|said|told you|ask|asked you|repeat|mentioned|wrote to you)|what i (?:said|meant|mean|want)|let me",
    roles:
      "speaker|guest|host|caller|agent|operator|interviewer|interviewee|moderator|narrator|participant|person|voice|user|human|assistant|system|ai|bot|tool|customer|client|developer|model|you|q|a|question|answer",
    owned: "my|mine|our",
    please: "please|pls",
    conditions: "when(?:ever)?|if",
    addressed: "you|asks?|i ask",
    ahead: "this|the following|as follows|below|like this|here",
    from: "from|by",
    speakers: "i|we",
    listeners: "you",
    reports: "says|said|tells|told|writes|wrote|insists|insisted",
    saidSo: "that(?:['’]s| is| was) (?:exactly )?(?:what|how|word for word what) |so (?:said|wrote|says) ",
    handsOver: "translat|proofread|paraphras|summar",
    plays: "play|pretend|imagine|character",
    ends: "end|stop",
    noSpeakers: "The|An?|My|His|Her|Our|Their|This|That|She|He|They|It|Who|What",
  },
  sentences: {
    abbreviations: String.raw`[Mm]rs?|[Mm]s|[Dd]rs?|[Pp]rof|Capt|Sgt|Lt|Col|Maj|Engr|Atty|St|Mt|Jr|Sr|Gen|Sen|Rev|vs|e\.\s?g|i\.\s?e|approx|etc|resp|incl|No|Inc|Co|Ltd|[ap]\.m|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec`,
  },
} satisfies LanguagePack;
