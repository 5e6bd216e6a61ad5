import type { LanguagePack } from "./pack.ts";

const weekdays = [..."一二三四五六"]
  .map((day) => `周${day}|週${day}|星期${day}|礼拜${day}|禮拜${day}`)
  .concat("周日|周天|週日|週天|星期日|星期天|礼拜天|禮拜天")
  .join(";");

export const zh = {
  name: "Chinese",
  script: "Han",
  functionWords: "",
  dates: {
    weekdays,
    units: "分钟|分鐘;小时|小時|个小时|個小時;天|日;周|週|星期|礼拜|个星期|個星期|个礼拜;周末|週末;个月|個月|月;年",
    seasons: "春天|春季|春;夏天|夏季|夏;秋天|秋季|秋;冬天|冬季|冬",
    numbers: "一;二|两|兩;三;四;五;六;七;八;九;十;十一;十二",
    few: "几|幾|数|數",
    days: "前天|前日;昨天|昨日|昨晚|昨夜;今天|今日|今晚|今早|今夜;明天|明日|明早|明晚;后天|後天",
    periods: {
      "day -3": "大前天",
      "day 3": "大后天|大後天",
      "year -2": "前年",
      "year -1": "去年",
      "year 0": "今年",
      "year 1": "明年",
      "year 2": "后年|後年",
    },
    last: "上|上个|上個",
    penultimate: "上上|上上个|上上個",
    this: "这|这个|這|這個|本",
    next: "下|下个|下個",
    nextIsOfNextWeek: true,
    relativeWeekdays: true,
    pastMany: "最近|近|过去|過去|这|這|前",
    nextMany: "未来|未來|接下来|接下來|今后|今後",
    ago: "前|以前|之前",
    fromNow: "后|後|以后|以後|之后|之後",
    every: "每|每个|每個",
    on: "在|于|於",
    since: "从|自|自从|從|自從",
    until: "到|直到|至|截至",
    before: "之前|以前",
    after: "之后|之後|以后|以後",
    from: "从|從|自",
    to: "到|至",
    and: "和",
    article: "的",
    am: "上午|早上|早晨|凌晨",
    pm: "下午|晚上|傍晚",
    approximate: "大约|大約|大概|约|約",
    holidays: { "12-25": "圣诞节|聖誕節", "12-24": "平安夜", "12-31": "除夕", "1-1": "元旦" },
    monthMark: "月|月份",
    dayMark: "日|号|號",
    yearMark: "年",
    past: /^[了过過]$/,
    future: /^[将將会會要]$/,
    functionWords: "",
  },
  questions: {
    asked: {
      bloodGroup: "血型",
      otherName: "姓什么",
      code: "号码|电话|密码|车牌",
      age: "几岁|多大",
      colour: "颜色",
      amount: "多少|多高|工资",
      name: "叫什么|名字",
    },
  },
  values: {
    nights: "晚",
    numbers: "一 二 三 四 五 六 七 八 九 十 百 千 万 两",
    colours: "黑 红 蓝 绿",
    ages: "岁",
    nameMarks: "叫 名字",
  },
  rules: {
    pattern:
      /^(?:如果|若|一旦|当)(?<trigger>[^，,]+?)(?:的话|时|的时候)?[，,]\s*(?<action>(?:请|就|应|要|必须|需|先|立即).+)$/u,
    personal: /我|明天|昨天|今天/u,
    stated: /^(?:他|她|它)/u,
  },
  preferences: [/喜欢|喜歡|讨厌|討厭|过敏|過敏|请不要|請不要|不要再|以后请|更愿意/u],
  cues: {
    firstPerson: "我",
  },
  mentions: {
    until: "到",
    determiners: "我 我的 我们 我们的",
  },
  voices: {
    speech: '写道 说道 说(?=[:：「“"]|$) 写着 回复 寫道 說',
    texts: "邮件 郵件 短信 消息 讯息 信件 来信 文本 文字 歌词 故事 小说 对话 聊天 评论 引用 例句 句子 段落 台词",
    tasks: "翻译 翻譯 总结 總結 概括 改写 润色 纠正 修改 校对 摘要",
    pointing: "以下 下面 这 這 上面 上述",
    fiction: "角色扮演 假装 假設 假设你 想象你 扮演",
    ownLabels: "注意 备注 備註 记住 記住 提醒 更正 关于我 顺便 过敏 姓名 职业",
    firstPerson: "我",
    secondPerson: "你 您",
    documents: "文章 网页 网站 文档 文件 记录",
    returns: "另外 至于我 总之 你能 你可以 能不能 可以帮我",
    asides: "顺便",
  },
  courtesies: {
    words: "你好 您好 谢谢 謝謝 再见 再見 好的 好 是的 是 不客气 嗯 哈 早上 晚上 早安 晚安 你 您 啊 了 吧",
    answers: "是 是的 不是 没有",
  },
  names: {
    patterns: [
      [
        /(?:我叫|名叫|叫做|(?:妻子|丈夫|女儿|儿子|老公|老婆|妹妹|姐姐|哥哥|弟弟|朋友|同事)叫?)(?<name>\p{sc=Han}{2,3})(?=[，。,.、！]|$)/gu,
        "person",
      ],
      [/(?:住在|来自|搬到|搬去|出生于|去过)(?<name>\p{sc=Han}{2,4})(?=[，。,.、！]|$)/gu, "place"],
      [/在(?<name>\p{sc=Han}{2,6}?)(?=工作|上班|实习)/gu, "organization"],
    ],
  },
  moods: {
    changes: "改",
  },
  mails: {
    mailFields: "发件人|收件人|主题|日期|发送时间|抄送|寄件者|收件者|主旨",
    mailSubjects: "主题",
    openings: "尊敬的.{1,12}|亲爱的.{1,12}|親愛的.{1,12}",
    greetings: "你好",
    closings: "此致|敬上|祝好",
    thanks: "谢谢",
  },
  intros: {
    unspacedRoles: "话者",
    unspacedAhead: "[以如]下",
  },
  secrets: {
    unspacedPasswords: "通行码|访问码|登录码|取款密码|開機密碼",
    unspacedPins: "验证码|校验码|动态码|驗證碼|安全码|取款密码",
    unspacedBackupCodes: "备用码|恢复码|备份码|備用碼|恢復碼",
    unspacedPassports: "护照(?:号)?|護照|身份证",
  },
} satisfies LanguagePack;
