/** Words for a code itself, not for what it is used for: "Sicherheitsgurt", "backup verification". */
export const CODE_WORD = /c[oó]d|k[oó]d|код|رمز|कोड|コード|番号|인증|[码碼]|^(?:otp|2fa|mfa)$/;
