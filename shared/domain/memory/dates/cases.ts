/**
 * Test texts with their dates. A line has a language, a text and the values of its dates; a line that starts with @
 * sets the anchor for the following ones: an instant and optionally a zone. `<` marks the past, `>` the future, `?`
 * either; `a/b` is a range, `R/…` recurs, `~` is approximate.
 */
export const CASES = `
@ 2026-11-22T19:00:00Z Europe/Berlin
en | I woke up at 3 am today, then again at 14:30 yesterday. | 2026-11-22T03:00+01:00< 2026-11-21T14:30+01:00<
en | My win ratio is 3/4 this time. |
en | The march was long and everybody got wet. |
en | 10/10 would recommend. |
en | Meet me at 5 on Friday. | 2026-11-27>
en | I have been vegan since April. | 2026-04<
en | In March I moved to Graz. | 2026-03<
en | The dentist pushed my appointment to 2 December, same time. | 2026-12-02>
en | The launch was postponed until 14 January. | 2027-01-14>
en | We moved to Graz on 4 May. | 2026-05-04<
de | Der Zahnarzttermin wurde auf den 10. Dezember verschoben. | 2026-12-10>
fr | La réunion a été reportée au 4 janvier. | 2027-01-04>
es | La cita se ha movido al 3 de diciembre. | 2026-12-03>
en | We will visit Oslo in March. | 2027-03>
en | On Friday I will see the dentist. | 2026-11-27>
en | On Friday I saw the dentist. | 2026-11-20<
en | Version 2.10.3 came with 1.2.26 fixes. |
en | Call me at 030 12 11 2026 or 555-1234. |
en | The server 10.11.12.13 answers on port 2026. |
en | The ISBN is 978-3-16-148410-0. |
en | Read John 3:16 and Psalm 23:4 aloud. |
en | The song is 3:45 long. |
en | We won 3-2 and they lost 12/11. |
en | April and June are my best friends. |
en | I had lunch with May and August Wilson. |
en | I may march with them. |
en | It costs 2026 dollars, or $1,999 in cash. |
en | Ship 2019 units to bay 12/4. |
en | Add 3/4 cup of sugar and 1/2 teaspoon of salt. |
en | We are open 24/7. |
en | My order number is 2026-1120-7781. |
en | The ticket INV-2026-11-20-77 is closed. |
en | Our flight leaves on 2026-12-04 at 18:45. | 2026-12-04T18:45+01:00>
en | The contract runs from 1 Feb 2025 to 31 Jan 2027. | 2025-02-01/2027-01-31
en | He was born on 14 July 1988. | 1988-07-14<
en | She was born on July 14th, 1988. | 1988-07-14<
en | I moved here in 2019. | 2019<
en | My goal for 2027 is to run a marathon. | 2027>
en | Books I read this year: Piranesi. | 2026
en | We married in the summer of 2014. | 2014-06/2014-08<
en | I learned to sail last summer. | 2026-06/2026-08<
en | Last week I quit smoking. | 2026-11-09/2026-11-15<
en | Next week we start the audit. | 2026-11-23/2026-11-29>
en | The party was last weekend. | 2026-11-14/2026-11-15<
en | Next weekend we go to Cornwall. | 2026-11-28/2026-11-29>
en | I saw her two days ago. | 2026-11-20<
en | The baby is due in three weeks. | 2026-12-13>
en | I wrote the app in three weeks. |
en | I got it a few weeks ago. | ~2026-11-01<
en | The meeting is the day after tomorrow at 9:30 am. | 2026-11-24T09:30+01:00>
en | I left the day before yesterday. | 2026-11-20<
en | I met him last Tuesday in Linz. | 2026-11-17<
en | See you next Tuesday! | 2026-11-24>
en | I swim every Monday. | R/2026-11-23/P1W
en | I play chess on Thursdays. | R/2026-11-26/P1W
en | The rent is due on the 5th. | 2026-12-05>
en | My desk is on the 5th floor. |
en | It was my 3rd attempt on the 2nd try. |
en | Happy birthday, June! |
en | June Carter sang it. |
en | The appointment on Thursday 26 November is cancelled. | 2026-11-26>
en | Please send it by December 4. | 2026-12-04>
en | His wife died in August. | 2026-08<
en | The deadline is 15 January. | 2027-01-15>
en | I worked there until March. | 2026-03<
en | I will stay there until March. | 2027-03>
en | In the 1990s I lived in Kyoto. | 1990/1999<
en | Revenue was strong in Q3 2026. | 2026-07/2026-09<
en | At 5:30 in the afternoon tomorrow we meet. | 2026-11-23T17:30+01:00>
en | I got up at 6:15 this morning. | 2026-11-22T06:15+01:00<
en | She called last night. | 2026-11-21<
en | We are having dinner tonight. | 2026-11-22
en | I am 32 years old and 2 metres tall. |
en | I have lived here for four years. | P4Y
en | The sun sat low and we wed. |
en | I flew on 3 May, and a week later I was back. | 2026-05-03< 2026-05-10<
en | On 12 June we arrived. The next day it rained. | 2026-06-12< 2026-06-13<
en | Christmas is on us soon. | 2026-12-25>
en | Last Christmas I gave you a scarf. | 2025-12-25<
en | I joined in Sept. 2021 and left in Jan 2023. | 2021-09< 2023-01<
en | Black Friday deals are boring. |
en | The sale takes place on 11/12/2026 (European format). | 2026-12-11>
en | It was signed on 25/12/2025. | 2025-12-25<
en | It was signed on 12/25/2025. | 2025-12-25<
en | The workshop is May 3-5. | 2027-05-03/2027-05-05>
en | The workshop was between 3 and 5 May. | 2026-05-03/2026-05-05<
en | I was in Rome from Monday to Wednesday. | 2026-11-16/2026-11-18<
en | I run 5 km at 5 min per km. |
en | Resolution 1920x1080, screen 27 inch, 144 Hz. |
en | The year 2000 bug never hit us in 2000. | 2000< 2000<
en | I earned 2000 in May. | 2026-05<
en | Dinner with Sam on Sat at 7pm. | 2026-11-28T19:00+01:00>
en | The chapter ends on page 2019. |
en | Section 4.12 replaces 3.11. |
en | The backup ran 3 hours ago. | 2026-11-22T17:00+01:00<
en | Let's talk at 3pm CET on 1 December. | 2026-12-01T15:00+01:00>
en | Ada's birthday is 10 December 1815. | 1815-12-10<
en | We met in early 2020 and married in late June. | 2020< 2026-06<
en | I will retire at the end of next year. | 2027>
en | March 2024 was mild. | 2024-03<
en | The company bought Bluefin in July 2025. | 2025-07<
en | We will move the meeting to Tuesday. | 2026-11-24>
en | Dad comes home on Christmas Eve. | 2026-12-24>
en | Room 12.11 is taken; use 4.5 or 3.4. |
en | The odds were 5/1 and the blood pressure 120/80. |
en | The password is Mai2026x and the build 20261120. |
en | I paid €12.11 on the spot. |
en | Three years ago I began to paint. | 2023<
en | I began to paint about five years ago. | ~2021<
en | Next month I turn 40. | 2026-12>
en | Say hi to Wednesday Addams and Friday. |
en | Kim's vacation ends this Friday. | 2026-11-27>
de | Ich bin gestern umgezogen. | 2026-11-21<
de | Ich bin letzten Monat von Köln nach Leipzig gezogen. | 2026-10<
de | Am Freitag habe ich den Zahnarzt besucht. | 2026-11-20<
de | Am Freitag gehe ich zum Zahnarzt. | 2026-11-27>
de | Übermorgen um 14:30 Uhr treffen wir uns. | 2026-11-24T14:30+01:00>
de | Seit April bin ich Veganer. | 2026-04<
de | Der Vertrag läuft bis zum 31. Januar 2027. | 2027-01-31>
de | Am 3. März fliegen wir nach Oslo. | 2027-03-03>
de | Am 3.3.2025 sind wir geflogen. | 2025-03-03<
de | Vor drei Jahren habe ich angefangen zu malen. | 2023<
de | In zwei Wochen ist die Prüfung. | 2026-12-06>
de | Guten Morgen! Das Verhältnis ist 3/4. |
de | Wir sehen uns morgen früh. | 2026-11-23>
de | Das kostet 12.11 Euro, Version 4.5. |
de | Nächste Woche habe ich Urlaub. | 2026-11-23/2026-11-29>
de | Montags spiele ich Fußball. | R/2026-11-23/P1W
de | Im Sommer 2014 haben wir geheiratet. | 2014-06/2014-08<
de | Das Konzert war vorgestern um 20 Uhr. | 2026-11-20T20:00+01:00<
de | Ich war vom 3. bis 5. Mai in Rom. | 2026-05-03/2026-05-05<
de | Heute Morgen hat es geregnet. | 2026-11-22<
de | Er hat am 1. Platz gewonnen und mag die 3. Folge. |
fr | J'habite à Montréal depuis 2019. | 2019<
fr | Hier, je suis allé au marché. | 2026-11-21<
fr | Demain matin je prends le train. | 2026-11-23>
fr | Elle est née le 14 juillet 1988. | 1988-07-14<
fr | La semaine dernière, j'ai vu ma mère. | 2026-11-09/2026-11-15<
fr | Nous partirons la semaine prochaine. | 2026-11-23/2026-11-29>
fr | Il y a trois ans, j'ai commencé à peindre. | 2023<
fr | Dans deux semaines, j'ai un examen. | 2026-12-06>
fr | Vendredi dernier, nous avons mangé ensemble. | 2026-11-20<
fr | Le rendez-vous est vendredi prochain à 14h30. | 2026-11-27T14:30+01:00>
fr | Je vais à la piscine tous les lundis. | R/2026-11-23/P1W
fr | En mars, nous avons déménagé. | 2026-03<
fr | Le 1er mai, il y aura une fête. | 2027-05-01>
fr | L'été dernier nous étions en Corse. | 2026-06/2026-08<
fr | La note est de 10/10 et le score 3-2. |
fr | Le prix est de 2019 euros. |
fr | Avant-hier, le colis est arrivé. | 2026-11-20<
fr | Je travaille ici depuis le 3 février. | 2026-02-03<
fr | Mai est une amie, Mars est une planète. |
fr | Le contrat va du 1er février 2025 au 31 janvier 2027. | 2025-02-01/2027-01-31
es | Mañana tengo una entrevista con el banco. | 2026-11-23>
es | Ayer por la mañana fui al médico. | 2026-11-21<
es | La semana pasada compré un coche. | 2026-11-09/2026-11-15<
es | El próximo viernes viajo a Lima. | 2026-11-27>
es | El viernes pasado cenamos juntos. | 2026-11-20<
es | Nací el 14 de julio de 1988. | 1988-07-14<
es | Hace tres años empecé a pintar. | 2023<
es | Dentro de dos semanas tengo un examen. | 2026-12-06>
es | Vivo aquí desde 2019. | 2019<
es | Los lunes voy a nadar. | R/2026-11-23/P1W
es | En marzo nos mudamos a Quito y fue duro. | 2026-03<
es | El año que viene iremos a Japón. | 2027>
es | Julio y Abril son mis primos. |
es | Me gusta la mayonesa y el mayo la lleva. |
es | Anteayer llovió mucho. | 2026-11-20<
es | La reunión es pasado mañana a las 15:30. | 2026-11-24T15:30+01:00>
es | El marcador fue 3-2 y la nota 9/10. |
es | El mes pasado dejé de fumar. | 2026-10<
pt | Ontem fui ao médico. | 2026-11-21<
pt | Amanhã de manhã tenho uma entrevista. | 2026-11-23>
pt | Na semana passada comprei um carro. | 2026-11-09/2026-11-15<
pt | No próximo mês vamos para Lisboa. | 2026-12>
pt | Há três anos comecei a pintar. | 2023<
pt | Dois anos atrás eu morava em Recife. | 2024<
pt | Nasci em 14 de julho de 1988. | 1988-07-14<
pt | Moro aqui desde 2019. | 2019<
pt | Na sexta-feira passada jantamos juntos. | 2026-11-20<
pt | Depois de amanhã às 15h30 há reunião. | 2026-11-24T15:30+01:00>
pt | Em março nós nos mudamos e foi difícil. | 2026-03<
pt | Daqui a duas semanas tenho prova. | 2026-12-06>
pt | O placar foi 3 a 2 e a nota 9/10. |
pt | Todas as segundas-feiras eu nado. | R/2026-11-23/P1W
it | Ieri sono andato dal medico. | 2026-11-21<
it | Domani mattina ho un colloquio. | 2026-11-23>
it | La settimana scorsa ho comprato una macchina. | 2026-11-09/2026-11-15<
it | Venerdì prossimo parto per Lima. | 2026-11-27>
it | Tre anni fa ho iniziato a dipingere. | 2023<
it | Tra due settimane ho un esame. | 2026-12-06>
it | Sono nata il 14 luglio 1988. | 1988-07-14<
it | Vivo qui dal 2019. | 2019<
it | A marzo ci siamo trasferiti. | 2026-03<
it | L'anno prossimo andremo in Giappone. | 2027>
it | Dopodomani alle 15:30 c'è la riunione. | 2026-11-24T15:30+01:00>
it | Il lunedì vado a nuotare. | R/2026-11-23/P1W
it | L'altro ieri ha piovuto. | 2026-11-20<
it | Il voto è 9/10 e il rapporto 3/4. |
nl | Gisteren ben ik naar de dokter gegaan. | 2026-11-21<
nl | Morgen heb ik een sollicitatiegesprek. | 2026-11-23>
nl | Vorige week heb ik een auto gekocht. | 2026-11-09/2026-11-15<
nl | Volgende maand gaan we naar Lissabon. | 2026-12>
nl | Drie jaar geleden begon ik met schilderen. | 2023<
nl | Over twee weken heb ik een examen. | 2026-12-06>
nl | Ik ben geboren op 14 juli 1988. | 1988-07-14<
nl | Ik woon hier sinds 2019. | 2019<
nl | Afgelopen vrijdag hebben we samen gegeten. | 2026-11-20<
nl | Overmorgen om 15:30 uur is er een vergadering. | 2026-11-24T15:30+01:00>
nl | In maart zijn we verhuisd. | 2026-03<
nl | Elke maandag zwem ik. | R/2026-11-23/P1W
nl | Eergisteren regende het. | 2026-11-20<
nl | Het cijfer is 9/10, de stand 3-2. |
ja | 昨日、病院に行きました。 | 2026-11-21<
ja | 明日の午後3時に面接があります。 | 2026-11-23T15:00+01:00>
ja | 先週、車を買いました。 | 2026-11-09/2026-11-15<
ja | 来月リスボンに行く予定です。 | 2026-12>
ja | 三年前に絵を描き始めました。 | 2023<
ja | 2週間後に試験があります。 | 2026-12-06>
ja | 1988年7月14日に生まれました。 | 1988-07-14<
ja | 2019年からここに住んでいます。 | 2019<
ja | 来週の金曜日に出発します。 | 2026-11-27>
ja | 3月に引っ越しました。 | 2026-03<
ja | 去年の夏、京都にいました。 | 2025-06/2025-08<
ja | 毎週月曜日に泳ぎます。 | R/2026-11-23/P1W
ja | 一昨日は雨でした。 | 2026-11-20<
ja | 日本の月はきれいで、点数は10/10です。 |
ja | 12月4日までに送ってください。 | 2026-12-04>
zh | 我昨天去了医院。 | 2026-11-21<
zh | 明天下午3点我有面试。 | 2026-11-23T15:00+01:00>
zh | 上周我买了一辆车。 | 2026-11-09/2026-11-15<
zh | 下个月我要去里斯本。 | 2026-12>
zh | 三年前我开始画画。 | 2023<
zh | 两周后有考试。 | 2026-12-06>
zh | 我出生于1988年7月14日。 | 1988-07-14<
zh | 我从2019年起住在这里。 | 2019<
zh | 下周五出发。 | 2026-11-27>
zh | 三月份我搬家了。 | 2026-03<
zh | 去年夏天我在京都。 | 2025-06/2025-08<
zh | 每周一我去游泳。 | R/2026-11-23/P1W
zh | 前天下雨了。 | 2026-11-20<
zh | 比分是3比2，满分10/10。 |
zh | 我对花生过敏，一天吃两次药。 |
@ 2026-12-31T23:30:00Z Europe/Berlin
en | It is finished today. | 2027-01-01
en | We celebrated yesterday. | 2026-12-31<
en | We moved last year. | 2026<
@ 2026-12-31T23:30:00Z America/New_York
en | The party is today. | 2026-12-31
en | New year's resolutions begin tomorrow. | 2027-01-01>
@ 2026-12-31T23:30:00Z -05:00
en | Last month was busy. | 2026-11<
@ 2024-02-29T12:00:00Z
en | One year ago we opened the shop. | 2023<
en | We leave tomorrow at 3pm. | 2024-03-01T15:00>
en | He is back in exactly 12 months. | 2025-02>
en | The course begins on 29 February 2025. |
en | The course began on 29 February 2020. | 2020-02-29<
@ 2026-03-28T12:00:00Z Europe/Berlin
en | Tomorrow at 9:00 am the race starts. | 2026-03-29T09:00+02:00>
en | Today at 9:00 am the race started. | 2026-03-28T09:00+01:00<
@ 2026-11-01T12:00:00Z America/Los_Angeles
en | Yesterday at 6 pm I fell. | 2026-10-31T18:00-07:00<
en | It happened at 3 am PST today. | 2026-11-01T03:00-08:00<
@ 2026-01-02T08:00:00Z Asia/Tokyo
ja | 先月東京に引っ越しました。 | 2025-12<
en | In December I broke my arm. | 2025-12<
en | I saw him on 30 December. | 2025-12-30<
en | I will see him on 30 December. | 2026-12-30>
@ 2023-05-08T13:56:00Z
en | I ran this past weekend. | 2023-05-06/2023-05-07<
en | I ran two weekends ago. | 2023-04-29/2023-04-30<
en | I run next month. | 2023-06>
en | I ran last Tues with Ann. | 2023-05-02<
@ 2026-11-22T19:00:00Z Europe/Berlin
en | Our standup is at 9:15 every weekday. |
en | Turn to chapter 12, verse 4. |
en | My phone is +49 170 2026 1122. |
en | I scored 8/10 in maths and 19/20 in art. |
en | The recipe takes 1/2 lb of butter. |
en | Node 20.11 and Python 3.12 are installed. |
en | Postgres listens on 127.0.0.1:5432. |
en | The bus 11/12 stops at gate 4/5. |
en | Invoice 2026/11/4711 is unpaid. |
en | My size is 10/12 and my waist 32/34. |
en | May I ask you something? |
en | They march every year. | R/P1Y
en | Mark and April got married in Rome. |
en | Jan Novak and Sun Yi work on Monday.com. |
en | I saved 2024 photos to disk. |
en | We need 2030 chairs by Friday. | 2026-11-27>
en | I started my job on 1 October. | 2026-10-01<
en | My visa expires on 30 June 2027. | 2027-06-30>
en | My passport expired in June. | 2026-06<
en | I'm flying to Tokyo on Saturday. | 2026-11-28>
en | I was in Tokyo on Saturday. | 2026-11-21<
en | The kids were born in 2015 and 2018. | 2015< 2018<
en | He has worked at Bosch since January 2020. | 2020-01<
en | She had surgery on Nov. 3rd. | 2026-11-03<
en | I haven't smoked since last Friday. | 2026-11-20<
en | My lease ends in two months. | 2027-01>
en | I bought the house ten years ago. | 2016<
en | We met in the spring of 2019. | 2019-03/2019-05<
en | We plan to move next summer. | 2027-06/2027-08>
en | It snowed last winter. | 2025-12/2026-02<
en | The exam is tomorrow at 2 pm. | 2026-11-23T14:00+01:00>
en | He called at 11:45 pm last night. | 2026-11-21T23:45+01:00<
en | Let us meet next Monday at noon. | 2026-11-23>
en | The conference runs June 3 to June 7. | 2027-06-03/2027-06-07>
en | I'm away 3-10 January. | 2027-01-03/2027-01-10>
en | I fasted from March to May. | 2026-03/2026-05<
en | Between 2010 and 2014 I studied in Ghent. | 2010/2014<
en | Back in the 80s everything was better. |
en | In the 1980s everything was better. | 1980/1989<
en | I fixed it 20 minutes ago. | 2026-11-22T19:40+01:00<
en | My subscription renews on the 1st. | 2026-12-01>
en | I got paid on the 15th. | 2026-11-15<
en | On New Year's Eve we went to bed early. | 2025-12-31<
en | Halloween was fun this year. | 2026-10-31< 2026
en | The release date is 2027-02-15. | 2027-02-15>
en | Logged at 2026-11-22T08:15:00Z by cron. | 2026-11-22T08:15+00:00<
en | I will be 40 in 2031. | 2031>
en | It was Tuesday, 17 November when it broke. | 2026-11-17<
en | She starts on Mon 7 Dec. | 2026-12-07>
en | I moved in with Tom last May. | 2026-05<
en | Last March was cold. | 2026-03<
en | The following morning I felt sick. |
en | We signed in June 2024; two months later they left. | 2024-06< 2024-08<
en | Dinner is on Tuesday evening. | 2026-11-24>
en | My mother visits us every other Sunday. | R/2026-11-29/P2W
en | Every 3 months I donate blood. | R/P3M
en | I have a meeting this Thursday at 16:00. | 2026-11-26T16:00+01:00>
en | I've had this cough for three weeks. | P3W
en | the deadline is friday | 2026-11-27>
en | i moved in march and started in april | 2026-03< 2026-04<
en | June 2025 was when I met June. | 2025-06<
en | Q4 is going to be tough. |
en | We launched in Q2. | 2026-04/2026-06<
en | Two weeks from now I'm in Peru. | 2026-12-06>
en | I turned 30 on 11/05/2025. | 2025-05-11<
de | Nächsten Freitag fliege ich nach Rom. | 2026-11-27>
de | Letzten Sommer waren wir in Schweden. | 2026-06/2026-08<
de | Ich habe seit 2015 einen Hund. | 2015<
de | Wir haben am 12. Juni 2019 geheiratet. | 2019-06-12<
de | Der Termin ist am Dienstag um 9:30 Uhr. | 2026-11-24T09:30+01:00>
de | Im März ziehe ich um. | 2027-03>
de | Im März bin ich umgezogen. | 2026-03<
de | Das Spiel endete 3:2. |
de | Kapitel 3.4 und Absatz 12.1 fehlen. |
de | Ich arbeite bis Ende Januar hier. | 2027-01>
de | Heute Abend kommt meine Schwester. | 2026-11-22
de | Herr Mai und Frau August waren da. |
de | Vor zwei Tagen war ich beim Arzt. | 2026-11-20<
de | Nächstes Jahr werde ich 40. | 2027>
de | Jeden Dienstag gehe ich schwimmen. | R/2026-11-24/P1W
fr | Je suis né en 1990 à Lyon. | 1990<
fr | Samedi, je vais au cinéma. | 2026-11-28>
fr | Samedi, nous sommes allés au cinéma. | 2026-11-21<
fr | On se voit jeudi à 18h ? | 2026-11-26T18:00+01:00>
fr | Le mois dernier, j'ai changé de travail. | 2026-10<
fr | L'année prochaine, je vais à Tokyo. | 2027>
fr | Mon fils est né le 3 août 2020. | 2020-08-03<
fr | J'ai lu le chapitre 3.12 de la version 2.4. |
fr | Il y a deux jours, il a plu. | 2026-11-20<
fr | Jusqu'en juin, je travaille à Nice. | 2027-06>
es | El martes tuve una reunión. | 2026-11-17<
es | El martes tengo una reunión. | 2026-11-24>
es | Me casé el 12 de junio de 2019. | 2019-06-12<
es | El año pasado viví en Chile. | 2025<
es | La semana que viene empiezo el curso. | 2026-11-23/2026-11-29>
es | Trabajo aquí desde enero. | 2026-01<
es | El vuelo sale el 3 de diciembre a las 18:45. | 2026-12-03T18:45+01:00>
es | Hace dos días me caí. | 2026-11-20<
es | Esta noche ceno con Ana. | 2026-11-22
es | Saqué un 9/10 y gané 3-1. |
pt | No ano passado morei em Porto. | 2025<
pt | Na terça-feira tive uma reunião. | 2026-11-17<
pt | O voo sai no dia 3 de dezembro às 18h45. | 2026-12-03T18:45+01:00>
pt | Trabalho aqui desde janeiro. | 2026-01<
pt | Hoje à noite janto com a Ana. | 2026-11-22
pt | Há dois dias eu caí. | 2026-11-20<
pt | Casei em 12 de junho de 2019. | 2019-06-12<
it | L'anno scorso ho vissuto a Parigi. | 2025<
it | Martedì ho avuto una riunione. | 2026-11-17<
it | Martedì ho una riunione. | 2026-11-24>
it | Il volo parte il 3 dicembre alle 18:45. | 2026-12-03T18:45+01:00>
it | Lavoro qui da gennaio. | 2026-01<
it | Due giorni fa sono caduto. | 2026-11-20<
it | Ci siamo sposati il 12 giugno 2019. | 2019-06-12<
it | Stasera ceno con Anna. | 2026-11-22
nl | Vorig jaar woonde ik in Gent. | 2025<
nl | Dinsdag heb ik een afspraak. | 2026-11-24>
nl | De vlucht vertrekt op 3 december om 18:45. | 2026-12-03T18:45+01:00>
nl | Ik werk hier sinds januari. | 2026-01<
nl | Twee dagen geleden viel ik. | 2026-11-20<
nl | Volgend jaar word ik 40. | 2027>
nl | Vanavond eet ik met Anna. | 2026-11-22
ja | 昨年パリに住んでいました。 | 2025<
ja | 火曜日に会議があります。 | 2026-11-24>
ja | 火曜日に会議がありました。 | 2026-11-17<
ja | 12月3日18時45分に出発します。 | 2026-12-03T18:45+01:00>
ja | 1月からここで働いています。 | 2026-01<
ja | 2日前に転びました。 | 2026-11-20<
ja | 今夜アンナと食事します。 | 2026-11-22
ja | 先月から禁煙しています。 | 2026-10<
zh | 去年我住在巴黎。 | 2025<
zh | 星期二我有一个会议。 | 2026-11-24>
zh | 上星期二我开会了。 | 2026-11-10<
zh | 航班12月3日18:45起飞。 | 2026-12-03T18:45+01:00>
zh | 我从一月开始在这里工作。 | 2026-01<
zh | 两天前我摔倒了。 | 2026-11-20<
zh | 今晚我和安娜吃饭。 | 2026-11-22
zh | 明年我要去日本。 | 2027>
zh | 我每天早上跑步。 | R/P1D
@ 2026-11-22T19:00:00Z Europe/Berlin
en | In August last year we sailed to Gotland. | 2025-08<
en | We didn't go on Friday. | 2026-11-20<
en | I train every Tuesday and Thursday. | R/2026-11-24/P1W R/2026-11-26/P1W
en | She wrote that he's leaving in May. | 2027-05>
en | Actually, back in February I had already left. | 2026-02<
en | What did I do last week on Tuesday? | 2026-11-10<
en | Take the pill at 8 pm every day. | R/P1D
en | Date: Fri, 20 Nov 2026 09:12:00 +0000 | 2026-11-20T09:12+00:00<
de | Ab 1. Dezember übernimmt die neue Verwaltung. | 2026-12-01>
@ 2026-02-03T22:30:00Z America/New_York
en | I fell today and broke my wrist. | 2026-02-03<
en | My daughter turns six tomorrow. | 2026-02-04>
en | I quit my job on Monday. | 2026-02-02<
en | I'm getting my cast removed on Monday. | 2026-02-09>
en | We adopted Rex in November. | 2025-11<
en | Last year I ran two marathons. | 2025<
en | Taxes are due April 15. | 2026-04-15>
en | Taxes are due on 4/15. | 2026-04-15>
en | I was hired on 01/12/2024. | 2024-01-12<
en | The wedding is on June 6th, 2026 at 4pm. | 2026-06-06T16:00-04:00>
en | I have a call at 10 am tomorrow. | 2026-02-04T10:00-05:00>
en | Super Bowl is this Sunday. | 2026-02-08>
en | I've lived in Boston since 2012. | 2012<
en | My dog died three months ago. | 2025-11<
en | We'll be in Lisbon for two weeks starting March 3. | P2W 2026-03-03>
en | The Wi-Fi code is 12-34-5678. |
en | Route 66 and Highway 101 are closed. |
en | Bus 2024 leaves from platform 9 3/4. |
en | The mix is 50/50 and the ratio 16:9. |
en | Section 8.2.1 applies; see RFC 2026. |
en | My PIN was 1999 and my flat is number 2001. |
en | He ran 100m in 10.12 seconds. |
en | The track "1979" by The Smashing Pumpkins is 4:25. |
en | Buy 2 lb at $3.12 and 5/8 inch screws. |
en | May and June work with me at Fall River. |
en | I'd like to spring for dinner and fall asleep. |
en | Can I have a second? Wait a minute. |
en | Sunday Times and Daily News were late. |
en | He said he may come. |
en | Mom's birthday is on August 9. | 2026-08-09>
en | I graduated in May 2011 from MIT. | 2011-05<
en | I'll finish the thesis by the end of June. | 2026-06>
en | We were in Peru between May 2 and May 9. | 2025-05-02/2025-05-09<
en | Let's meet on Thursday at 7:30 pm. | 2026-02-05T19:30-05:00>
en | My therapist sees me every other week. | R/P2W
en | I got my second shot two Fridays ago. | 2026-01-23<
en | Three days later she called back. |
en | I visited him on Saturday. The next day he left. | 2026-01-31< 2026-02-01<
en | By 2030 we want to be carbon neutral. | 2030>
en | In the fall of 2022 I moved to Ohio. | 2022-09/2022-11<
en | This winter has been brutal. | 2025-12/2026-02
en | My flight is at 6am on the 14th. | 2026-02-14T06:00-05:00>
en | I stopped drinking on New Year's Day. | 2026-01-01<
@ 2026-07-15T06:00:00Z Australia/Sydney
en | I ate an hour ago. | 2026-07-15T15:00+10:00<
en | I started on 5/6/2026. | 2026-06-05<
de | Ich habe im Dezember geheiratet. | 2025-12<
de | Wir treffen uns am 20.7. um 18 Uhr. | 2026-07-20T18:00+10:00>
de | Meine Mutter ist vor einem Monat gestorben. | 2026-06<
de | Am Montag, den 20. Juli, beginnt der Kurs. | 2026-07-20>
de | Seit 1998 wohnen wir in Ulm. | 1998<
de | Die Quote liegt bei 3/4, die Note bei 1.3. |
de | Ich muss bis Freitag abgeben. | 2026-07-17>
de | Letztes Wochenende waren wir wandern. | 2026-07-11/2026-07-12<
fr | Nous nous sommes mariés en décembre. | 2025-12<
fr | Rendez-vous le 20/07 à 18h. | 2026-07-20T18:00+10:00>
fr | Ma mère est morte il y a un mois. | 2026-06<
fr | Le week-end dernier, on a fait une randonnée. | 2026-07-11/2026-07-12<
fr | Chaque dimanche, je cours. | R/2026-07-19/P1W
fr | Elle arrive lundi. | 2026-07-20>
es | Nos casamos en diciembre. | 2025-12<
es | El fin de semana pasado fuimos de excursión. | 2026-07-11/2026-07-12<
es | Cada domingo salgo a correr. | R/2026-07-19/P1W
es | Llegó el lunes y se va el jueves. | 2026-07-13< 2026-07-16>
es | Mi hijo nació en agosto de 2020. | 2020-08<
pt | O curso começa na segunda-feira. | 2026-07-20>
pt | Meu filho nasceu em agosto de 2020. | 2020-08<
pt | No fim de semana passado fizemos uma trilha. | 2026-07-11/2026-07-12<
it | Mio figlio è nato ad agosto del 2020. | 2020-08<
it | Il fine settimana scorso abbiamo fatto una gita. | 2026-07-11/2026-07-12<
it | Il corso comincia lunedì. | 2026-07-20>
it | Ogni domenica corro. | R/2026-07-19/P1W
nl | Mijn zoon is in augustus 2020 geboren. | 2020-08<
nl | Afgelopen weekend hebben we gewandeld. | 2026-07-11/2026-07-12<
nl | De cursus begint maandag. | 2026-07-20>
nl | Ik heb maandag mijn rijbewijs gehaald. | 2026-07-13<
ja | 先週末、ハイキングに行きました。 | 2026-07-11/2026-07-12<
ja | 息子は2020年8月に生まれました。 | 2020-08<
ja | 月曜日から新しい仕事が始まります。 | 2026-07-20>
ja | 毎朝走っています。 |
ja | 10日に退院しました。 | 2026-07-10<
zh | 我儿子2020年8月出生。 | 2020-08<
zh | 上周末我们去爬山了。 | 2026-07-11/2026-07-12<
zh | 下周一我开始新工作。 | 2026-07-20>
zh | 我三个月前戒烟了。 | 2026-04<
zh | 第3章第16节，版本2.1。 |
zh | 每个星期天我去跑步。 | R/2026-07-19/P1W
zh | 大后天我出差。 | 2026-07-18>
ja | 2日に1回走ります。 |
@ 2026-11-22T19:00:00Z Europe/Berlin
en | We moved in mid-2025. | 2025<
en | I left half a year ago. | 2026-05<
en | ETA: 11/25 | 2026-11-25>
de | Ich komme um 5 am Freitag. | 2026-11-27>
ja | 令和6年5月3日に結婚しました。 | 2024-05-03<
@ 2026-03-29T03:30:00Z Europe/Berlin
en | The alarm went off 4 hours ago. | 2026-03-29T00:30+01:00<
@ 1969-12-31T23:10:00Z
en | It happened 20 minutes ago. | 1969-12-31T22:50<
@ 2026-11-20T10:00:00Z UTC
en | Let's meet tonight at 8. | 2026-11-20T20:00+00:00
en | I'll have it done by 7 tomorrow morning. | 2026-11-21T07:00+00:00
en | I slept badly for the last 3 days. | 2026-11-17/2026-11-20
en | The past two weeks were hectic. | 2026-11-06/2026-11-20
en | We are in Kyoto from 3 to 9 March 2027. | 2027-03-03/2027-03-09
en | The office moved to 12 May Street last Tuesday. | 2026-11-17
en | We stayed at Mar del Plata in June. | 2026-06
en | April Nguyen joined in 2019. | 2019
en | Doors open at 6:30 pm on December 4. | 2026-12-04T18:30+00:00
en | The lease runs between 1 Jan and 30 June 2027. | 2027-01-01/2027-06-30
en | I need 5 at most, and 7 by mail. |
en | Her flat is at 5 on the third floor. |
en | The score was 5 to 7 in March Hall. |
en | Jan Kowalski lives at 3 August Place. |
en | The next 10 days will be hard. | 2026-11-20/2026-11-30
de | Die letzten drei Tage war ich krank. | 2026-11-17/2026-11-20
de | Wir treffen uns morgen um 7 Uhr abends. | 2026-11-21T19:00+00:00
de | Vom 3. bis 9. März 2027 bin ich in Graz. | 2027-03-03/2027-03-09
de | Herr August Meier wohnt in der Maistraße 5. |
de | Bis 8 Uhr heute Abend muss es fertig sein. | 2026-11-20T20:00+00:00
fr | Ces deux dernières semaines ont été dures. | 2026-11-06/2026-11-20
fr | On se voit demain à 18 h. | 2026-11-21T18:00+00:00
fr | Du 5 au 12 août 2027, nous serons à Nice. | 2027-08-05/2027-08-12
fr | J'habite 8 rue du 11 Novembre. |
fr | Mars Petcare m'a répondu hier. | 2026-11-19
es | Mar del Plata me encantó en febrero. | 2026-02
es | En los últimos cinco días no dormí. | 2026-11-15/2026-11-20
es | Quedamos mañana a las 7 de la tarde. | 2026-11-21T19:00+00:00
es | Vivo en la calle 2 de Mayo. |
es | Estaré fuera del 4 al 8 de enero. | 2027-01-04/2027-01-08
pt | Nas últimas duas semanas choveu muito. | 2026-11-06/2026-11-20
pt | A reunião é amanhã às 9 da manhã. | 2026-11-21T09:00+00:00
pt | Moro na Rua 25 de Março. |
pt | De 10 a 15 de dezembro estarei em Lisboa. | 2026-12-10/2026-12-15
it | Negli ultimi tre giorni ho corso poco. | 2026-11-17/2026-11-20
it | Ci vediamo stasera alle 9. | 2026-11-20T21:00+00:00
it | Abito in via 20 Settembre. |
it | Dal 2 al 6 aprile 2027 siamo a Bari. | 2027-04-02/2027-04-06
nl | De afgelopen drie dagen was ik ziek. | 2026-11-17/2026-11-20
nl | We spreken morgen om 8 uur 's avonds af. | 2026-11-21T20:00+00:00
nl | Van 5 tot 9 mei 2027 zijn we in Gent. | 2027-05-05/2027-05-09
ja | この三日間ずっと雨でした。 | 2026-11-17/2026-11-20
ja | 明日の午後5時に会いましょう。 | 2026-11-21T17:00+00:00
ja | 12月3日から6日まで京都にいます。 | 2026-12-03/2026-12-06
zh | 最近三天我都没睡好。 | 2026-11-17/2026-11-20
zh | 明天晚上7点开会。 | 2026-11-21T19:00+00:00
zh | 我从3月5日到8日在上海。 | 2027-03-05/2027-03-08
en | She called at 3 this afternoon. | 2026-11-20T15:00+00:00
en | Over the past four months I lost 8 kilos. | 2026-07/2026-11
en | August Wilson wrote it in 1985. | 1985
en | Send it to 4 June Avenue by Monday. | 2026-11-23
en | The workshop runs from 9 to 11 tomorrow morning. | 2026-11-21T09:00+00:00/2026-11-21T11:00+00:00
en | The trip is 28 February to 3 March 2027. | 2027-02-28/2027-03-03
de | In den letzten zwei Monaten war ich viel unterwegs. | 2026-09/2026-11
de | Heute Nachmittag um 4 kommt der Klempner. | 2026-11-20T16:00+00:00
de | Mai Nguyen kommt am 3. Dezember. | 2026-12-03
fr | Ces quatre derniers jours, il a plu. | 2026-11-16/2026-11-20
fr | Rendez-vous ce soir à 8 heures. | 2026-11-20T20:00+00:00
fr | Le cabinet est avenue du 8 Mai 1945. |
es | Las últimas tres semanas han sido duras. | 2026-10-30/2026-11-20
es | Te llamo esta noche a las 10. | 2026-11-20T22:00+00:00
es | Mayo Clinic me llamó ayer. | 2026-11-19
pt | Nos últimos seis dias trabalhei em casa. | 2026-11-14/2026-11-20
it | Le ultime due settimane sono state pesanti. | 2026-11-06/2026-11-20
it | Piazza 25 Aprile è chiusa oggi. | 2026-11-20
ja | 先週の月曜日から水曜日まで休みました。 | 2026-11-09/2026-11-11
zh | 过去两周很忙。 | 2026-11-06/2026-11-20
zh | 今天下午三点见。 | 2026-11-20T15:00+00:00
en | The last 3 days of the trip were rainy. |
en | On 3 May Anna called. | 2026-05-03
en | We stayed at 5 hotels last night. | 2026-11-19
en | I woke at 2 last night. | 2026-11-19
en | Over the last 5 years prices doubled. | 2021/2026
en | We are free from 2 to 4 pm on Friday. | 2026-11-27T14:00+00:00/2026-11-27T16:00+00:00
de | Heute Nacht um 3 Uhr war ein Gewitter. | 2026-11-20T03:00+00:00
es | El 2 de mayo fui a la plaza. | 2026-05-02
en | We met the week before last. | 2026-11-02/2026-11-08<
en | I saw her the Saturday before last. | 2026-11-07<
en | The fair was in the first week of May 2026. | 2026-05-01/2026-05-07<
en | We meet on the second Friday in December. | 2026-12-11>
en | The shop closed on the last Friday in October. | 2026-10-30<
en | It was the first week of school. |
de | Am vorletzten Samstag war ich im Kino. | 2026-11-07<
de | Der Markt war am ersten Sonntag im Oktober. | 2026-10-04<
fr | Je l'ai vu le premier lundi de mars 2026. | 2026-03-02<
es | Fuimos el primer sábado de noviembre de 2026. | 2026-11-07<
nl | De markt was op de eerste zondag van oktober. | 2026-10-04<
`;
