import type { LanguageWords } from "./pack.ts";

export const ko = {
  name: "Korean",
  script: "Hangul",
  voices: {
    speech: "말했 썼 작성 님이",
    texts: "이메일 메일 메시지 편지 글 문장 가사 이야기 대화 리뷰 인용",
    tasks: "번역 요약 교정 고쳐",
    pointing: "다음 아래 이것 위의 이_",
    fiction: "역할극 역할놀이 인_척",
    ownLabels: "참고 기억해 주의 알레르기",
    firstPerson: "나는 내 저는 제",
    secondPerson: "너 당신",
    documents: "기사 문서",
    returns: "그나저나 저는",
    asides: "그런데 참고로",
  },
  courtesies: {
    words: "안녕하세요 안녕 감사합니다 고마워요 고마워 네 아니요 좋아요",
    answers: "네 아니요",
  },
  names: {
    patterns: [
      [/(?<name>\p{sc=Hangul}{2,6})에 (?=살)/gu, "place"],
      [/(?<name>\p{sc=Hangul}{2,10})(?:에서 (?=일)|에 (?=다니))/gu, "organization"],
      [
        /(?:딸|아들|아내|남편|친구|동생|언니|오빠|누나|형) (?<name>\p{sc=Hangul}{2,4}?)(?=은 |는 |이 |가 |와 |과 |이랑 )/gu,
        "person",
      ],
      [/이름은 (?<name>\p{sc=Hangul}{2,4}?)(?=이에요|예요|입니다)/gu, "person"],
    ],
  },
  moods: {
    changes: "바꿔",
    unspacedRemembers: "기억해|메모해",
    leads: "저는|나는|제",
    unspacedOwn: "내 |제 ",
  },
  mails: {
    mailFields: "보낸 사람|받는 사람|제목|날짜|보낸 날짜",
    mailSubjects: "제목",
    openings: ".{1,12}님께",
    greetings: "안녕하세요",
    closings: "드림|올림",
    thanks: "감사합니다",
  },
  intros: {
    unspacedRoles: "화자",
    unspacedAhead: "다음",
  },
  secrets: {
    passwords: "비밀번호 비번 암호 패스워드",
    pins: "핀번호",
    codes: "인증번호 인증코드",
    keys: "키 토큰",
    access: "네트워크 로그인 계정 와이파이 입력 은행",
    users: "아이디",
    changes: "변경 바꿨",
    sent: "문자",
    others: "주문 택배 사물함 현관 도어락 자물쇠",
    devices: "카드 폰",
    backups: "백업 복구",
    answers: "질문 답",
    examples: "예",
    copulas: "는 은 이 가",
    unspacedPassports: "여권(?: ?번호)?",
  },
} satisfies LanguageWords;
