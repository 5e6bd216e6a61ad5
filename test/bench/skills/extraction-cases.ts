/**
 * A text and the procedures in it: words that the trigger and the action of each must contain, in the text's language.
 */
export interface ExtractionCase {
  kind: string;
  text: string;
  procedures: { when: string; do: string }[];
}

const of = (kind: string, text: string, ...procedures: [when: string, action: string][]): ExtractionCase => ({
  kind,
  text,
  procedures: procedures.map(([when, action]) => ({ when, do: action })),
});

/** Every other case is for tuning; the others are held out. */
export const EXTRACTION_CASES: ExtractionCase[] = [
  of(
    "policy",
    "When a customer asks for a refund, check the order number first. If the amount is above 500 euros, ask the team lead. Our shop opened in 2015.",
    ["refund", "order number"],
    ["500", "team lead"],
  ),
  of(
    "policy",
    "If an invoice is disputed, stop the reminders and inform accounting. Before you close a case, write a summary. We are proud of our service.",
    ["disputed", "reminders"],
    ["close a case", "summary"],
  ),
  of(
    "incident",
    "Symptom: the checkout answers 502.\nCause: the connection pool was exhausted.\nFix: restart the payment pods and raise the pool to 50.",
    ["502", "restart the payment pods"],
  ),
  of(
    "incident",
    "Problem: emails are stuck in the queue.\nRoot cause: expired DKIM key.\nResolution: renew the key and flush the queue.",
    ["stuck in the queue", "renew the key"],
  ),
  of(
    "incident",
    "At 03:10 the disk of db-2 was full. We deleted the old WAL files and extended the volume. At 03:40 everything was normal again.",
    ["disk", "wal files"],
  ),
  of(
    "incident",
    "The API returned timeouts because Redis was out of memory. The on-call engineer flushed the cache and raised maxmemory. Latency recovered after five minutes.",
    ["timeouts", "flush"],
  ),
  of(
    "support",
    "Customer: I can't log in, I forgot my password.\nAgent: Please click on Forgot password and open the link in the mail.\nCustomer: That worked, thank you!",
    ["password", "forgot password"],
  ),
  of(
    "support",
    "Customer: My router keeps losing the connection.\nAgent: Unplug it for thirty seconds, then plug it in again.\nCustomer: Great, it is stable now.",
    ["router", "unplug"],
  ),
  of(
    "support",
    "User: The export button does nothing.\nSupport: Clear the browser cache and reload the page.\nUser: Perfect, now it exports.\nSupport: Have a nice day!",
    ["export", "clear the browser cache"],
  ),
  of(
    "support",
    "Caller: The card reader shows error E12.\nSupport: Hold the green button for ten seconds to reset it.\nCaller: Yes, it works again.",
    ["e12", "green button"],
  ),
  of(
    "tools",
    'user: refund order 17\ntool: get_order({"id": 17})\ntool: refund_order({"id": 17})\ntool: send_mail({"to": "a@example.com"})\nassistant: Done.\nuser: refund order 23\ntool: get_order({"id": 23})\ntool: refund_order({"id": 23})\ntool: send_mail({"to": "b@example.com"})\nassistant: Done.',
    ["refund", "refund_order"],
  ),
  of(
    "tools",
    'User: deploy the web app\nTool call: run_tests(suite="all")\nTool call: build_image(tag="1.2")\nTool call: deploy(tag="1.2")\nUser: thanks\nUser: deploy the web app again\nTool call: run_tests(suite="all")\nTool call: build_image(tag="1.3")\nTool call: deploy(tag="1.3")',
    ["deploy", "build_image"],
  ),
  of(
    "tools",
    '[tool_call] search_tickets {"status": "open"}\n[tool_call] assign_ticket {"id": 4}\n[tool_call] search_tickets {"status": "open"}\n[tool_call] assign_ticket {"id": 9}\n[tool_call] search_tickets {"status": "open"}\n[tool_call] assign_ticket {"id": 12}',
    ["search_tickets", "assign_ticket"],
  ),
  of(
    "tools",
    'user: what is the weather\ntool: get_weather(city="Rome")\nassistant: Sunny.\nuser: add milk to my list\ntool: add_item(name="milk")\nassistant: Added.',
  ),
  of(
    "onboarding",
    "Welcome! On your first day, ask Ana for a badge. Once you have your laptop, install the VPN client. Lunch is at noon.",
    ["first day", "badge"],
    ["laptop", "vpn"],
  ),
  of(
    "onboarding",
    "Hello new colleague. Before you push code, run the linter. Whenever you need access to a database, open a ticket in the IT portal. The kitchen is on the second floor.",
    ["push code", "linter"],
    ["database", "ticket"],
  ),
  of(
    "onboarding",
    "# How to request holidays\n1. Open the HR portal.\n2. Choose the days.\n3. Ask your manager to approve them.\n\nWe have 28 days a year.",
    ["request holidays", "hr portal"],
  ),
  of(
    "onboarding",
    "## Setting up the development environment\n- Clone the repository.\n- Copy .env.example to .env.\n- Run npm install.\n\nThe team has six members.",
    ["development environment", "clone the repository"],
  ),
  of("talk", "If it rains tomorrow, we stay at home. I hope the weather gets better. How are you?"),
  of(
    "talk",
    "When I was a child, we went to the sea every summer. If I had more time, I would read more. See you on Friday!",
  ),
  of("talk", "We had a lovely dinner yesterday. If you like, we can go there again next week. The pasta was great."),
  of("talk", "When I am tired I drink a coffee. My sister prefers tea. If she visits, we usually go for a walk."),
  of(
    "german",
    "Wenn ein Kunde reklamiert, prüfe zuerst die Bestellnummer. Falls die Ware beschädigt ist, schicke einen Ersatz. Unser Büro liegt in Köln.",
    ["reklamiert", "bestellnummer"],
    ["beschädigt", "ersatz"],
  ),
  of(
    "german",
    "Sobald der Speicher über 90 Prozent steigt, starte den Dienst neu. Bei Stromausfall bitte den Hausmeister anrufen. Wenn es morgen regnet, bleiben wir zu Hause.",
    ["speicher", "starte den dienst"],
    ["stromausfall", "hausmeister"],
  ),
  of(
    "french",
    "Si un client demande un remboursement, vérifiez d'abord la commande. En cas d'incendie, quittez le bâtiment. Il fait beau aujourd'hui.",
    ["remboursement", "vérifiez"],
    ["incendie", "quittez"],
  ),
  of(
    "french",
    "Lorsque le stock est faible, passez une nouvelle commande. Avant de fermer le magasin, éteignez les lumières. Nous sommes allés au cinéma.",
    ["stock", "commande"],
    ["fermer le magasin", "lumières"],
  ),
  of(
    "spanish",
    "Si el servidor no responde, reinicia el servicio. Cuando llegue un paquete, firma el recibo. Ayer comimos paella.",
    ["servidor", "reinicia"],
    ["paquete", "recibo"],
  ),
  of(
    "spanish",
    "En caso de fuga de agua, cierre la llave principal. Antes de salir, apague las luces. Si mañana hace sol, vamos a la playa.",
    ["fuga", "llave"],
    ["salir", "luces"],
  ),
  of(
    "italian",
    "Se il cliente chiede una fattura, invia il PDF per e-mail. Quando la stampante si blocca, apri lo sportello. Domani andiamo al mare.",
    ["fattura", "pdf"],
    ["stampante", "sportello"],
  ),
  of(
    "portuguese",
    "Se o pagamento falhar, tente novamente depois de uma hora. Quando um visitante chegar, avise a recepção. O café é bom.",
    ["pagamento", "tente"],
    ["visitante", "recepção"],
  ),
  of(
    "runbook",
    "High CPU on the workers -> scale the deployment to six replicas\nQueue older than 10 minutes -> restart the consumer\nOwner: team Falcon",
    ["cpu", "scale"],
    ["queue", "restart the consumer"],
  ),
  of(
    "runbook",
    "Alert: certificate expires soon\nAction: run the renewal job and reload nginx\n\nAlert: backup failed\nAction: start it by hand and open an incident",
    ["certificate", "renewal job"],
    ["backup", "by hand"],
  ),
  of(
    "postmortem",
    "The import crashed on files larger than 2 GB. It was solved by splitting the file into parts. Nobody was harmed.",
    ["import crashed", "split"],
  ),
  of(
    "postmortem",
    "Users saw an empty page after the release. We rolled back to version 4.1 and cleared the CDN cache. The lesson: always test with an empty cache.",
    ["empty page", "roll back"],
    ["test with an empty cache", "test with an empty cache"],
  ),
  of("email", "Hi team, please always lock the storage room when you leave. The cake is in the kitchen. Regards, Kim", [
    "leave",
    "lock the storage room",
  ]),
  of(
    "email",
    "Dear all, if a supplier calls about prices, forward the call to Dana. I will be on holiday until Monday. Best, Li",
    ["supplier", "dana"],
  ),
  of(
    "log",
    "2026-01-03 10:00 INFO started\n2026-01-03 10:01 INFO user 4 signed in\n2026-01-03 10:02 WARN slow query 900 ms\n2026-01-03 10:03 INFO stopped",
  ),
  of(
    "story",
    "Anna opened the door when the bell rang. The postman gave her a parcel and left. She was happy because it was a book.",
  ),
  of(
    "faq",
    "Q: What do I do when my card is declined?\nA: Call the bank and ask them to unlock it.\n\nQ: Who founded the company?\nA: Two brothers from Turin.",
    ["card is declined", "call the bank"],
  ),
  of(
    "faq",
    "Q: How do I change my address?\nA: Open the profile page and press Edit.\n\nQ: Where is your office?\nA: In Lyon, near the station.",
    ["change my address", "profile page"],
  ),
];
