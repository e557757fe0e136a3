import { type Issue, flag, integer, text } from '@lensforge/contracts';
import {
  PlatformEnvironment,
  type Risk,
  allOrNone,
  mailSender,
  masterKeyText,
  perAccount,
  perMinute,
  replicas,
  smtpUrl,
} from '@lensforge/edge';
import { MAX_TOKENS, faultOfRedirectUri, readAllowedSchemes } from '@lensforge/identity';
import { masterKeysFault } from '@lensforge/vault';

export class OAuthEnvironment extends PlatformEnvironment {
  @text({
    ...masterKeyText,
    check: masterKeysFault,
    description: '32 random bytes in base64, or several as 1:key,2:key while they rotate; it seals the signing keys.',
  })
  LENSFORGE_MASTER_KEY!: string;

  @flag({
    optional: true,
    description: 'Whether the client lf_mcp_client_localdev exists; outside of production when left out.',
  })
  LENSFORGE_OAUTH_LOCALDEV_CLIENT?: boolean;

  @flag({ description: 'Makes an authorization code another value than the token that it is exchanged for.' })
  LENSFORGE_OAUTH_STRICT_CODES = false;

  @text({
    max: 20_000,
    optional: true,
    description:
      'The addresses to which a sign-in returns to the console, separated by commas; /console/signed-in of LENSFORGE_PUBLIC_API_URL when left out. Their origins can renew tokens. The pages of sign-in link to the console before /signed-in of the first such address.',
  })
  LENSFORGE_CONSOLE_REDIRECT_URIS?: string;

  @text({
    max: 2000,
    description:
      'Schemes without a dot that redirect addresses of clients may have, as in default,myapp,-raycast: default stands for those of well-known clients, - removes one.',
  })
  LENSFORGE_OAUTH_ALLOWED_SCHEMES = 'default';

  @text({
    ...smtpUrl,
    description:
      'smtp://user:password@host:port, the mail server. Without one, links are logged in development, and sign-up and password reset are off in production.',
  })
  LENSFORGE_SMTP_URL?: string;

  @text({
    ...mailSender,
    description: 'Who mails come from, as in Lensforge <hello@example.com>; goes with LENSFORGE_SMTP_URL.',
  })
  LENSFORGE_MAIL_FROM?: string;

  @integer({ ...perMinute, description: 'Forms of the sign-in pages a minute and network.' })
  LENSFORGE_RATE_SIGN_IN_PER_MINUTE = 300;

  @integer({ ...perMinute, description: 'Registrations of clients and device grants a minute and network.' })
  LENSFORGE_RATE_REGISTER_PER_MINUTE = 60;

  @integer({ ...perMinute, description: 'Requests for tokens and revocations a minute and network.' })
  LENSFORGE_RATE_TOKEN_PER_MINUTE = 1200;

  @integer({ ...perAccount, description: 'Developer tokens, and tokens of tools, that a person can have.' })
  LENSFORGE_TOKENS_PER_ACCOUNT = MAX_TOKENS;

  @integer({ ...replicas, description: 'How many of this service run; without Redis each grants its share.' })
  LENSFORGE_REPLICAS_OAUTH = 1;

  get localdevClient(): boolean {
    return this.LENSFORGE_OAUTH_LOCALDEV_CLIENT ?? !this.production;
  }

  get consoleRedirectUris(): string[] {
    const { LENSFORGE_CONSOLE_REDIRECT_URIS: given, LENSFORGE_PUBLIC_API_URL: api } = this;
    if (given !== undefined) return listed(given);
    return api === undefined ? [] : [`${api.replace(/(?<!\/)\/+$/, '')}/console/signed-in`];
  }

  /** The address of the console, without a slash at its end. */
  get consoleUrl(): string | undefined {
    const end = '/signed-in';
    return this.consoleRedirectUris.find((uri) => uri.endsWith(end))?.slice(0, -end.length);
  }

  get allowedSchemes(): readonly string[] {
    return readAllowedSchemes(this.LENSFORGE_OAUTH_ALLOWED_SCHEMES).schemes;
  }

  override faults(): Issue[] {
    const faults = [...super.faults(), ...allOrNone(this, ['LENSFORGE_SMTP_URL', 'LENSFORGE_MAIL_FROM'])];
    for (const uri of this.consoleRedirectUris) {
      const message = faultOfRedirectUri(uri, this.allowedSchemes);
      if (message !== undefined) faults.push({ path: 'LENSFORGE_CONSOLE_REDIRECT_URIS', message });
    }
    for (const message of readAllowedSchemes(this.LENSFORGE_OAUTH_ALLOWED_SCHEMES).faults)
      faults.push({ path: 'LENSFORGE_OAUTH_ALLOWED_SCHEMES', message });
    return faults;
  }

  override risks(): Risk[] {
    if (this.LENSFORGE_OAUTH_STRICT_CODES) return [];
    const message = 'is not true, so that the code in the history of a browser is a token that does not expire';
    return [{ risk: 'lasting-codes', path: 'LENSFORGE_OAUTH_STRICT_CODES', message }];
  }
}

const listed = (text = ''): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
