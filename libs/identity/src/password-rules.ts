import { DomainError } from '@lensforge/core';

export const passwordLength = { least: 8, most: 1024 } as const;

/** What everybody tries first, in small letters. Longer lists are for a service that is asked, not for a source file. */
const common = new Set(
  `12345678 123456789 1234567890 12341234 11223344 87654321 987654321 0987654321 123123123 1q2w3e4r 1q2w3e4r5t 1qaz2wsx
   password password1 password12 password123 password1234 passw0rd p@ssw0rd p@ssword pa55word password! password1!
   qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwertz123 qwertzuiop asdfghjkl asdfasdf asdf1234 zxcvbnm1 zaq12wsx
   iloveyou iloveyou1 sunshine princess football baseball superman batman123 starwars pokemon1 dragon123 monkey123
   letmein1 letmein123 welcome1 welcome123 changeme changeme1 changeme123 change-me default1 trustno1 whatever
   computer internet samsung1 michelle jennifer charlie1 abcd1234 abc12345 abcdefgh aaaa1111 admin123 admin1234
   administrator test1234 testtest secret123 topsecret master123 lensforge lensforge1 lensforge123 correcthorsebatterystaple`.split(
    /\s+/,
  ),
);

/** Refuses what is too short, too long or the first thing to be guessed; any character is welcome, and all of them count. */
export function checkPassword(password: string, email: string | null): void {
  const characters = [...password];
  const { least, most } = passwordLength;
  if (characters.length < least || characters.length > most) {
    throw new DomainError('BAD_INPUT', `password: ${least} to ${most} characters are needed`);
  }
  const folded = password.normalize('NFKC').toLowerCase();
  if (common.has(folded) || new Set(folded).size === 1) {
    throw new DomainError('BAD_INPUT', 'password: this one is among the first that are guessed, choose another');
  }
  const address = email?.normalize('NFKC').toLowerCase();
  if (address !== undefined && (folded === address || folded === address.split('@')[0])) {
    throw new DomainError('BAD_INPUT', 'password: it must not be the email address');
  }
}
