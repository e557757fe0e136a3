import { notFound } from '@lensforge/core';
import {
  type Passkey,
  type SignedIn,
  type TotpSecret,
  addPasskey,
  confirmSecondFactor,
  listPasskeys,
  newPasskeyOptions,
  passkeySite,
  pendingSecondFactor,
  removePasskey,
  removeSecondFactor,
  replaceRecoveryCodes,
  readSecondFactorState,
  startSecondFactor,
} from '@lensforge/identity';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { signInChangedMail } from '../mail/mails.js';
import type { PageText } from './layout.js';
import type { FormPurpose } from './form-seal.js';
import { type FormError, toFormError } from './page-faults.js';
import type { PageRequest } from './page-request.js';
import { PageRequests } from './page-requests.js';
import { ShowsPage, TakesForm } from './page-routes.js';
import { idIn, pickNotice } from './page-parts.js';
import { withReturn } from './return-to.js';
import {
  confirmAppPage,
  newPasskeyPage,
  recoveryCodesPage,
  removeAppPage,
  removePasskeyPage,
  replaceCodesPage,
  securityPage,
  securityPath,
  startAppPage,
} from './security-page.js';

const notices = {
  'app-removed': 'The second factor is off.',
  added: 'The passkey is added. You can sign in with it.',
  removed: 'The passkey is removed. It does not sign you in any more.',
};

const forms = {
  startApp: { form: 'set up an authenticator app' },
  confirmApp: { form: 'confirm an authenticator app' },
  removeApp: { form: 'remove the authenticator app' },
  replaceCodes: { form: 'replace recovery codes' },
  addPasskey: { form: 'add a passkey' },
} as const satisfies Record<string, FormPurpose>;

type Show = (page: PageRequest, here: SignedIn, formError?: FormError) => Promise<PageText> | PageText;
type Work = (page: PageRequest, here: SignedIn) => Promise<void>;

/** The pages on which a person changes the ways to sign in. */
@Controller()
export class SecurityController {
  constructor(private readonly pages: PageRequests) {}

  @ShowsPage(securityPath)
  show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.showFor(request, reply, async (page, { user }) =>
      securityPage({
        secondFactor: await readSecondFactorState(page.ctx, user.id),
        passkeys: await listPasskeys(page.ctx, user.id),
        now: page.ctx.now(),
        passkeysPossible: passkeySite(page.base) !== undefined,
        said: pickNotice(page, notices),
      }),
    );
  }

  @ShowsPage(`${securityPath}/app`)
  showStart(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.showFor(request, reply, startApp);
  }

  @TakesForm(`${securityPath}/app`)
  start(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.take(request, reply, { purpose: forms.startApp, show: startApp }, async (page, { user }) => {
      const password = page.body.get('password') ?? '';
      const secret = await startSecondFactor(page.ctx, this.pages.ring, { userId: user.id, password });
      page.show(200, confirmApp(page, secret));
    });
  }

  @TakesForm(`${securityPath}/app/confirm`)
  confirm(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const show: Show = async (page, { user }, formError) =>
      confirmApp(page, await pendingSecondFactor(page.ctx, this.pages.ring, user), formError);
    return this.take(request, reply, { purpose: forms.confirmApp, show }, async (page, { user }) => {
      const codes = await confirmSecondFactor(page.ctx, this.pages.ring, { user, code: readCode(page) });
      this.tell(page, 'A second factor was added to your Lensforge account');
      page.show(200, recoveryCodesPage(codes));
    });
  }

  @ShowsPage(`${securityPath}/app/remove`)
  showRemove(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.showFor(request, reply, removeApp);
  }

  @TakesForm(`${securityPath}/app/remove`)
  remove(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.take(request, reply, { purpose: forms.removeApp, show: removeApp }, async (page, { user }) => {
      await removeSecondFactor(page.ctx, this.pages.ring, { user, code: readCode(page) });
      this.tell(page, 'The second factor of your Lensforge account was turned off');
      page.redirect(`${securityPath}?notice=app-removed`);
    });
  }

  @ShowsPage(`${securityPath}/recovery-codes`)
  showReplace(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.showFor(request, reply, replaceCodes);
  }

  @TakesForm(`${securityPath}/recovery-codes`)
  replace(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.take(request, reply, { purpose: forms.replaceCodes, show: replaceCodes }, async (page, { user }) => {
      const codes = await replaceRecoveryCodes(page.ctx, this.pages.ring, { user, code: readCode(page) });
      this.tell(page, 'The recovery codes of your Lensforge account were replaced');
      page.show(200, recoveryCodesPage(codes));
    });
  }

  @ShowsPage(`${securityPath}/passkeys/new`)
  showAdd(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.showFor(request, reply, newPasskey);
  }

  @TakesForm(`${securityPath}/passkeys/new`)
  add(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.take(request, reply, { purpose: forms.addPasskey, show: newPasskey }, async (page, { user }) => {
      const given = (name: string): string => page.body.get(name) ?? '';
      await addPasskey(page.ctx, {
        ...page.passkeyChallenge(),
        userId: user.id,
        label: given('label'),
        password: given('password'),
        response: given('response'),
      });
      this.tell(page, 'A passkey was added to your Lensforge account');
      page.redirect(`${securityPath}?notice=added`);
    });
  }

  @ShowsPage(`${securityPath}/passkeys/remove`)
  showRemovePasskey(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.showFor(request, reply, removing);
  }

  @TakesForm(`${securityPath}/passkeys/remove`)
  removePasskey(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const purpose = (page: PageRequest): FormPurpose => toRemovalPurpose(idIn(page.body.get('id')));
    return this.take(request, reply, { purpose, show: removing }, async (page, { user }) => {
      const [passkeyId, password] = [idIn(page.body.get('id')), page.body.get('password') ?? ''];
      await removePasskey(page.ctx, { userId: user.id, passkeyId, password });
      this.tell(page, 'A passkey of your Lensforge account was removed');
      page.redirect(`${securityPath}?notice=removed`);
    });
  }

  private async showFor(request: FastifyRequest, reply: FastifyReply, show: Show): Promise<void> {
    const page = await this.pages.open(request, reply);
    if (page.signedIn) page.show(200, await show(page, page.signedIn));
    else page.redirect(withReturn('/id/sign-in', securityPath));
  }

  private async take(
    request: FastifyRequest,
    reply: FastifyReply,
    { purpose, show }: { purpose: FormPurpose | ((page: PageRequest) => FormPurpose); show: Show },
    work: Work,
  ): Promise<void> {
    const page = await this.pages.open(request, reply);
    const here = page.signedIn;
    if (!here) {
      page.redirect(withReturn('/id/sign-in', securityPath));
      return;
    }
    try {
      page.verifyForm(typeof purpose === 'function' ? purpose(page) : purpose);
      await work(page, here);
    } catch (error) {
      const formError = toFormError(error);
      page.show(formError.status, await show(page, here, formError), formError.headers);
    }
  }

  private tell(page: PageRequest, change: string): void {
    const to = page.signedIn?.user.email;
    if (to) this.pages.sendMail(page, to, signInChangedMail(change), '/id/password/forgot');
  }
}

const readCode = ({ body }: PageRequest): string => body.get('code') ?? '';

const startApp: Show = (page, { user }, formError) =>
  startAppPage({ token: page.sealed(forms.startApp), user, formError });

const confirmApp = (page: PageRequest, secret: TotpSecret, formError?: FormError): PageText =>
  confirmAppPage({ token: page.sealed(forms.confirmApp), secret, formError });

const removeApp: Show = (page, _here, formError) => removeAppPage({ token: page.sealed(forms.removeApp), formError });

const replaceCodes: Show = (page, _here, formError) =>
  replaceCodesPage({ token: page.sealed(forms.replaceCodes), formError });

const newPasskey: Show = async (page, { user }, formError) => {
  const token = page.sealed(forms.addPasskey);
  const options = await newPasskeyOptions(page.ctx, user, page.passkeyChallengeFor(token));
  return newPasskeyPage({ token, user, options, label: page.body.get('label'), formError });
};

const toRemovalPurpose = (id: string): FormPurpose => ({ form: 'remove a passkey', bound: [['id', id]] });

const removing: Show = async (page, { user }, formError) => {
  const id = idIn(page.body.get('id') ?? page.query.get('id'));
  const passkey: Passkey | undefined = (await listPasskeys(page.ctx, user.id)).find((each) => each.id === id);
  if (!passkey) throw notFound('passkey', id);
  return removePasskeyPage({ token: page.sealed(toRemovalPurpose(id)), user, passkey, formError });
};
