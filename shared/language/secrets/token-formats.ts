/** The form of a key or token that names its maker by its beginning or its shape. */
export interface TokenFormat {
  type: string;
  /** A text without any of these, in this case, has no such token: it is looked for before the pattern runs. */
  hints: readonly string[];
  /** Matches with bounded repetition from the beginning of a word, so that it is linear in the text. */
  pattern: RegExp;
}

/**
 * Returns the format of a token with this body after a fixed beginning. A token starts where no letter, digit or
 * underscore precedes it and ends where none follows.
 */
function prefixed(type: string, prefix: string | readonly string[], body: string): TokenFormat {
  const hints = typeof prefix === "string" ? [prefix] : prefix;
  const starts = hints.map((hint) => hint.replace(/[.+$]/g, "\\$&")).join("|");
  return { type, hints, pattern: new RegExp(`(?<![\\w-])(?:${starts})${body}(?![\\w])`, "g") };
}

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

/** Keys and tokens of services by their published forms. */
export const TOKEN_FORMATS: readonly TokenFormat[] = [
  prefixed("aws_access_key", ["AKIA", "ASIA", "ABIA", "ACCA"], "[A-Z0-9]{16}"),
  {
    type: "aws_secret_key",
    hints: ["AKIA", "ASIA"],
    pattern: /(?<=A[KS]IA[A-Z0-9]{16}[\s/:,|;"']{1,6}(?:\w{0,30}[\s=:"']{1,5})?)[A-Za-z0-9+/]{40}(?![\w+/])/g,
  },
  prefixed("github_token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "[A-Za-z0-9]{36,251}"),
  prefixed("github_token", "github_pat_", "\\w{60,244}"),
  prefixed(
    "gitlab_token",
    ["glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glft-", "glsoat-", "gloas-"],
    "[\\w.-]{20,100}",
  ),
  prefixed("slack_token", ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xapp-"], "[A-Za-z0-9-]{20,250}"),
  {
    type: "slack_webhook",
    hints: ["hooks.slack.com/"],
    pattern: /https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/-]{20,200}/g,
  },
  prefixed(
    "stripe_key",
    ["sk_live_", "rk_live_", "sk_test_", "rk_test_", "sk_org_", "whsec_"],
    "[A-Za-z0-9+/]{16,250}={0,2}",
  ),
  prefixed("google_api_key", "AIza", "[\\w-]{35}"),
  prefixed("google_oauth_secret", "GOCSPX-", "[\\w-]{28}"),
  prefixed("google_access_token", "ya29.", "[\\w.-]{20,2000}"),
  prefixed("google_refresh_token", "1//0", "[\\w-]{30,200}"),
  prefixed("anthropic_key", "sk-ant-", "[\\w-]{32,200}"),
  prefixed("openai_key", ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"], "[\\w-]{32,250}"),
  { type: "openai_key", hints: ["T3BlbkFJ"], pattern: /(?<![\w-])sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}(?!\w)/g },
  prefixed("openrouter_key", "sk-or-v1-", "[0-9a-f]{64}"),
  prefixed("huggingface_token", ["hf_", "api_org_"], "[A-Za-z]{34}"),
  prefixed("groq_key", "gsk_", "[A-Za-z0-9]{48,60}"),
  prefixed("xai_key", "xai-", "[A-Za-z0-9]{70,90}"),
  prefixed("perplexity_key", "pplx-", "[A-Za-z0-9]{40,64}"),
  prefixed("replicate_token", "r8_", "[A-Za-z0-9]{37,40}"),
  prefixed("npm_token", "npm_", "[A-Za-z0-9]{36}"),
  prefixed("pypi_token", "pypi-", "[\\w-]{50,1000}"),
  prefixed("rubygems_key", "rubygems_", "[0-9a-f]{48}"),
  prefixed("nuget_key", "oy2", "[a-z0-9]{43}"),
  prefixed("docker_token", ["dckr_pat_", "dckr_oat_"], "[\\w-]{24,64}"),
  prefixed("digitalocean_token", ["dop_v1_", "doo_v1_", "dor_v1_"], "[0-9a-f]{64}"),
  prefixed("sendgrid_key", "SG.", "[\\w-]{16,32}\\.[\\w-]{32,64}"),
  prefixed("twilio_key", "SK", "[0-9a-f]{32}"),
  prefixed("mailgun_key", "key-", "[0-9a-f]{32}"),
  { type: "mailchimp_key", hints: ["-us"], pattern: /(?<![\w-])[0-9a-f]{32}-us\d{1,2}(?!\w)/g },
  prefixed("brevo_key", ["xkeysib-", "xsmtpsib-"], "[0-9a-f]{64}-[A-Za-z0-9]{16}"),
  { type: "telegram_token", hints: [":AA"], pattern: /(?<![\w-])\d{7,11}:AA[\w-]{32,34}(?![\w-])/g },
  {
    type: "discord_token",
    hints: ["."],
    pattern: /(?<![\w.-])[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,45}(?![\w.-])/g,
  },
  {
    type: "discord_webhook",
    hints: ["/api/webhooks/"],
    pattern: /https:\/\/(?:\w{2,9}\.)?discord(?:app)?\.com\/api\/webhooks\/\d{15,22}\/[\w-]{40,100}/g,
  },
  prefixed("shopify_token", ["shpat_", "shpca_", "shppa_", "shpss_", "shptka_"], "[0-9a-fA-F]{32}"),
  prefixed("square_token", ["sq0atp-", "sq0csp-", "sq0idp-"], "[\\w-]{22,60}"),
  prefixed("paypal_token", "access_token$production$", "[0-9a-z]{16}\\$[0-9a-f]{32}"),
  prefixed("notion_token", ["ntn_", "secret_"], "[A-Za-z0-9]{40,50}"),
  prefixed("linear_key", ["lin_api_", "lin_oauth_"], "[A-Za-z0-9]{32,64}"),
  prefixed("figma_token", ["figd_", "figo_", "figu_"], "[\\w-]{40,64}"),
  { type: "airtable_token", hints: ["pat"], pattern: /(?<![\w-])pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?!\w)/g },
  prefixed("atlassian_token", ["ATATT3", "ATCTT3", "ATBB", "ATOA"], "[\\w=-]{24,400}"),
  prefixed("dropbox_token", "sl.", "[\\w-]{100,2000}"),
  prefixed("databricks_token", "dapi", "[0-9a-f]{32}(?:-\\d)?"),
  prefixed("vault_token", ["hvs.", "hvb.", "hvr."], "[\\w-]{24,300}"),
  { type: "terraform_token", hints: [".atlasv1."], pattern: /(?<![\w-])[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,80}(?!\w)/g },
  prefixed("newrelic_key", ["NRAK-", "NRII-", "NRJS-"], "[A-Za-z0-9_-]{19,40}"),
  prefixed("grafana_token", ["glsa_", "glc_"], "[A-Za-z0-9+/_]{32,500}={0,2}"),
  prefixed("sentry_token", ["sntrys_", "sntryu_", "sntrya_"], "[A-Za-z0-9+/=_]{40,500}"),
  prefixed("heroku_key", "HRKU-", "[A-Za-z0-9_-]{36,64}"),
  prefixed("fly_token", ["fo1_", "FlyV1 "], "[\\w,/+=-]{40,2000}"),
  prefixed("supabase_token", ["sbp_", "sb_secret_"], "[A-Za-z0-9_-]{24,64}"),
  prefixed("planetscale_token", ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], "[\\w.-]{32,64}"),
  prefixed("postman_key", "PMAK-", "[0-9a-f]{24}-[0-9a-f]{34}"),
  prefixed("doppler_token", ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa."], "[\\w.-]{40,64}"),
  prefixed("pulumi_token", "pul-", "[0-9a-f]{40}"),
  prefixed("buildkite_token", ["bkua_", "bkct_"], "[0-9a-z]{32,64}"),
  prefixed("alibaba_key", "LTAI", "[A-Za-z0-9]{16,24}"),
  prefixed("tencent_key", "AKID", "[A-Za-z0-9]{32}"),
  prefixed("facebook_token", "EAA", "[A-Za-z0-9]{80,400}"),
  prefixed("twitter_token", "AAAAAAAAAAAAAAAAAAAAA", "[A-Za-z0-9%]{60,120}"),
  {
    type: "azure_secret",
    hints: ["Q~"],
    pattern: /(?<![\w~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![\w~-])/g,
  },
  {
    type: "azure_key",
    hints: ["AccountKey=", "SharedAccessKey="],
    pattern: /(?<=AccountKey=|AccessKey=)[A-Za-z0-9+/]{40,90}={0,2}/g,
  },
  { type: "azure_signature", hints: ["sig="], pattern: /(?<=[?&]sig=)[A-Za-z0-9%+/]{40,120}={0,2}/g },
  prefixed("cloudflare_token", ["v1.0-", "cfut_", "cfat_", "cfk_"], "[A-Za-z0-9-]{36,200}"),
  prefixed("langsmith_key", ["lsv2_pt_", "lsv2_sk_"], "[0-9a-f]{32}_[0-9a-f]{8,12}"),
  prefixed("langfuse_key", "sk-lf-", UUID),
  prefixed("resend_key", "re_", "[A-Za-z0-9]{7,10}_[A-Za-z0-9]{20,30}"),
  prefixed("netlify_token", ["nfp_", "nfo_", "nfu_"], "[A-Za-z0-9]{30,60}"),
  prefixed("vercel_token", ["vcp_", "vci_", "vca_", "vcr_", "vck_"], "[A-Za-z0-9]{24,80}"),
  prefixed("circleci_token", ["CCIPAT_", "CCIPRJ_"], "\\w{40,120}"),
  prefixed("sonar_token", ["sqp_", "squ_", "sqa_"], "[0-9a-f]{40}"),
  prefixed("dynatrace_token", ["dt0c01.", "dt0s01.", "dt0s02."], "[A-Z0-9]{8,24}\\.[A-Z0-9]{64}"),
  prefixed("flutterwave_key", ["FLWSECK-", "FLWSECK_TEST-"], "[0-9a-zA-Z]{12,40}(?:-X)?"),
  prefixed("plaid_token", ["access-production-", "access-sandbox-", "access-development-"], UUID),
  prefixed("readme_key", "rdme_", "[A-Za-z0-9]{60,80}"),
  prefixed("prefect_key", ["pnu_", "pnb_"], "[A-Za-z0-9]{30,60}"),
  prefixed("shippo_token", ["shippo_live_", "shippo_test_"], "[0-9a-f]{40}"),
  prefixed("typeform_token", "tfp_", "[\\w.=-]{40,80}"),
  prefixed("yandex_key", ["AQVN", "y0_", "t1.9eu", "YCAJ", "YCN"], "[\\w.-]{20,400}={0,2}"),
  prefixed("nvidia_key", "nvapi-", "[\\w-]{50,100}"),
  prefixed("together_key", "tgp_v1_", "[\\w-]{30,80}"),
  prefixed("fireworks_key", "fw_", "[A-Za-z0-9]{20,40}"),
  prefixed("tavily_key", ["tvly-dev-", "tvly-prod-", "tvly-"], "[A-Za-z0-9]{20,64}"),
  prefixed("firecrawl_key", "fc-", "[0-9a-f]{32}"),
  prefixed("e2b_key", ["e2b_", "sk_e2b_"], "[0-9a-f]{40}"),
  prefixed("cerebras_key", "csk-", "[a-z0-9]{40,64}"),
  prefixed("jina_key", "jina_", "[\\w-]{50,80}"),
  prefixed("onepassword_token", "ops_eyJ", "[\\w-]{200,4000}"),
  prefixed("sourcegraph_token", "sgp_", "(?:(?:[0-9a-f]{16}|local)_)?[0-9a-f]{40}"),
  prefixed("gitlab_token", "GR1348941", "[\\w-]{20}"),
  prefixed("contentful_token", "CFPAT-", "[\\w-]{40,60}"),
  prefixed("hubspot_token", ["pat-na1-", "pat-na2-", "pat-eu1-"], UUID),
  prefixed("mailersend_token", "mlsn.", "[0-9a-f]{64}"),
  prefixed("tailscale_key", ["tskey-auth-", "tskey-api-", "tskey-client-", "tskey-scim-"], "[A-Za-z0-9-]{20,80}"),
  prefixed("mapbox_token", "sk.eyJ", "[\\w-]{40,200}\\.[\\w-]{20,30}"),
  { type: "asana_token", hints: [":"], pattern: /(?<![\w/])[12]\/\d{13,18}(?:\/\d{13,18})?:[0-9a-f]{32}(?!\w)/g },
  prefixed("deepseek_key", "sk-", "[0-9a-f]{32}"),
  prefixed("elevenlabs_key", "sk_", "[0-9a-f]{48}"),
  { type: "firebase_key", hints: [":APA91b"], pattern: /(?<![\w-])AAAA[\w-]{7}:APA91b[\w-]{100,180}(?![\w-])/g },
  prefixed("ngrok_token", "2", "[A-Za-z0-9]{26}_[A-Za-z0-9]{20,24}"),
  prefixed("easypost_key", ["EZAK", "EZTK"], "[A-Za-z0-9]{54}"),
  prefixed("scalingo_token", "tk-us-", "[\\w-]{48}"),
  prefixed("infracost_key", "ico-", "[A-Za-z0-9]{32}"),
  prefixed("launchdarkly_key", ["api-", "sdk-"], UUID),
  prefixed("posthog_key", ["phx_", "phs_"], "[A-Za-z0-9]{40,60}"),
  prefixed("duffel_token", ["duffel_live_", "duffel_test_"], "[\\w=-]{43}"),
  { type: "okta_token", hints: ["kta"], pattern: /(?<=okta[\w .:='"-]{0,40}[\s:='"])00[\w-]{40}(?![\w-])/gi },
  prefixed("fly_token", ["FlyV1 fm1_", "FlyV1 fm2_", "fm2_"], "[\\w,/+=-]{40,2000}"),
  prefixed("bitcoin_key", ["5", "K", "L"], "[1-9A-HJ-NP-Za-km-z]{50,51}"),
  prefixed("bitcoin_key", ["xprv", "yprv", "zprv"], "[1-9A-HJ-NP-Za-km-z]{100,112}"),
  {
    type: "ethereum_key",
    hints: ["rivate key", "rivate Key", "PRIVATE_KEY", "rivateKey", "allet"],
    // A hash of a transaction has the same form: the words around it decide.
    pattern:
      /(?<=(?:private ?_?key|wallet|metamask)[^\n]{0,60}?(?<!\w))0x[0-9a-f]{64}(?!\w)|(?<!\w)0x[0-9a-f]{64}(?=\W[^\n]{0,40}private key)/gi,
  },
  prefixed("nostr_key", "nsec1", "[023456789ac-hj-np-z]{58}"),
  {
    type: "cloudinary_url",
    hints: ["cloudinary://"],
    pattern: /(?<=cloudinary:\/\/\d{10,20}:)[\w-]{20,40}(?=@)/g,
  },
  { type: "wifi_password", hints: ["WIFI:"], pattern: /(?<=WIFI:[^\n]{0,120}?;P:)(?:\\.|[^;\s]){4,64}/g },
  {
    type: "totp_secret",
    hints: ["secret="],
    pattern: /(?<=otpauth:\/\/[^\s]{0,200}[?&]secret=)[A-Za-z2-7]{16,128}=*/gi,
  },
  {
    type: "basic_auth",
    hints: ['"auth"'],
    pattern: /(?<="auth"\s{0,3}:\s{0,3}")[A-Za-z0-9+/]{12,400}={0,2}(?=")/g,
  },
  {
    type: "aws_session_token",
    hints: ["IQoJb3JpZ2lu"],
    pattern: /(?<![\w+/])IQoJb3JpZ2lu[A-Za-z0-9+/]{100,2000}={0,2}/g,
  },
  {
    type: "private_key",
    hints: ["Private-Lines:"],
    pattern: /(?<=Private-Lines: \d{1,3}\s{1,2})[A-Za-z0-9+/=\s]{40,4000}/g,
  },
  prefixed("age_key", "AGE-SECRET-KEY-1", "[A-Z0-9]{58}"),
  prefixed("memory_service_key", "ak_live_", "[1-9A-HJ-NP-Za-km-z]{40,60}"),
  { type: "jwt", hints: ["eyJ"], pattern: /(?<![\w-])eyJ[\w-]{8,4000}\.eyJ[\w-]{8,8000}\.[\w-]{8,2000}(?![\w-])/g },
  {
    type: "password",
    hints: ["://"],
    // The password of an address: scheme://user:password@host.
    pattern:
      /(?<=(?<![a-z\d+])[a-z][a-z\d+]{1,24}:\/\/[^\s:@/]{0,100}:)[^\s:@/]{3,200}(?:@[^\s:@/]{1,60}(?=@))?(?=@[\w.[-])/gi,
  },
  {
    type: "password",
    hints: ["://"],
    // The same with the host of the user before it: smtp://user@host:password@host.
    pattern: /(?<=(?<![a-z\d+])[a-z][a-z\d+]{1,24}:\/\/[^\s:@/]{1,64}@[\w.-]{1,80}:)[^\s:@/]{3,200}(?=@[\w.[-])/gi,
  },
  {
    type: "password",
    hints: ["jdbc:oracle:"],
    pattern: /(?<=jdbc:oracle:\w{2,5}:[\w.-]{1,40}\/)[^\s@/]{3,100}(?=@)/g,
  },
  {
    type: "session_cookie",
    hints: ["ookie:", "OOKIE:", 'ookie":'],
    pattern:
      /(?<=(?<!\w)cookie["']?\s{0,2}:[^\n]{0,400}?[\w.-]{0,40}(?:sid|sess|auth|token|jwt|remember)[\w.-]{0,20}=)[\w%.~+/=:-]{16,4000}/gi,
  },
  {
    type: "bearer_token",
    hints: ["earer ", "asic ", "EARER ", "ASIC "],
    pattern:
      /(?<=(?<!\w)authorization["']?[ \t]{0,3}[:=][ \t]{0,3}["']?(?:bearer|basic|token)[ \t])[\w.~+/=-]{8,4000}|(?<=(?<!\w)bearer:?[ \t])(?=[\w.~+/-]{0,200}\d)[\w.~+/=-]{16,4000}/gi,
  },
  {
    type: "bank_account",
    hints: ["ort code", "ort Code", "ORT CODE"],
    pattern:
      /(?<=sort code\W{0,3}\d\d-?\d\d-?\d\d\W{1,3}(?:and )?(?:account|acc|acct)(?: number| no\.?)?\W{0,3})\d{8}(?!\d)/gi,
  },
  {
    type: "cvv",
    hints: ["/2", "/3"],
    // After the number and the date of a card.
    pattern: /(?<=\d{3}[ -]?\d[^\d\n]{1,14}(?:0[1-9]|1[0-2])\/\d{2}[^\d\n]{1,10})\d{3,4}(?![\d/.-])/g,
  },
  {
    type: "api_key",
    hints: ["_key", "_KEY", "oken", "assword", "ecret"],
    // In the query of an address, and in settings.
    pattern:
      /(?<=(?:[?&:_]|["'])(?:api_?key|access_?token|auth_?token|refresh_?token|_password|client_?secret)(?:=["']?|["']\s{0,3}:\s{0,3}["']))[\w.~+/=-]{16,4000}/gi,
  },
  {
    type: "aws_secret_key",
    hints: ["ecret_access_key", "ECRET_ACCESS_KEY", "ecretAccessKey", "ecretaccesskey"],
    pattern: /(?<=secret_?access_?key["']?\s{0,3}[:=]\s{0,3}["']?)[A-Za-z0-9+/]{40}(?![\w+/])/gi,
  },
  {
    type: "password",
    hints: [";P", ";p"],
    // In settings of a connection.
    pattern: /(?<=;\s?(?:password|pwd)\s?=\s?)[^;\s"'<]{3,100}/gi,
  },
  { type: "password", hints: ["<pass"], pattern: /(?<=<passw(?:or)?d>)[^<\s]{4,200}(?=<\/passw)/g },
  {
    type: "password",
    hints: ["curl ", "sshpass", "redis-cli", "mysql", "net use", "sudo"],
    // In commands.
    pattern:
      /(?<=\bcurl\b[^\n]{0,200}?\s(?:-u|--user)\s?["']?[\w.@+-]{1,60}:|\bsshpass\s-p\s?["']?|\bredis-cli\b[^\n]{0,80}?\s(?:-a|--pass)\s|\bmysql\w{0,8}\b[^\n]{0,80}?\s-p["']?|\bnet use\b[^\n]{0,80}?\/user:\S{1,60}\s)[^\s"'`;<>|]{4,128}|(?<=\becho\s["']?)[^\s"'|]{4,100}(?=["']?\s?\|\s?sudo\b)/g,
  },
  {
    type: "password",
    hints: ["login"],
    // "docker login -u ada -p …", not the port of "ssh login -p 2222".
    pattern:
      /(?<=\blogin\b[^\n]{0,160}?\s(?:-p|--pass(?:word)?)[ =]["']?)(?!\$|\d{1,5}(?!\S))(?=[^\s"'`;<>|]{0,127}[\d!@#%^&*_+])[^\s"'`;<>|]{4,128}/g,
  },
  {
    type: "password",
    hints: ["root:", "admin:", "user:", "deploy:", "ubuntu:", "postgres:", "pi:"],
    pattern: /(?<=(?<![\w/:@.-])(?:root|admin|user|deploy|ubuntu|postgres|pi):)[^\s:@/]{4,100}(?=@[\w.-]{3,80})/g,
  },
  {
    type: "private_key",
    hints: ["eKey = ", "dKey = "],
    pattern: /(?<=(?:PrivateKey|PresharedKey) = )[A-Za-z0-9+/]{43}=/g,
  },
  { type: "recovery_key", hints: ["-"], pattern: /(?<![\d-])\d{6}(?:-\d{6}){7}(?![\d-])/g },
];
