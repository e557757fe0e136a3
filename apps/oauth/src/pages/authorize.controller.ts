import { type Scope, scopes } from '@lensforge/contracts';
import { DomainError } from '@lensforge/core';
import { Platform } from '@lensforge/edge';
import { issueCode } from '@lensforge/identity';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OAuthEnvironment } from '../environment.js';
import { authorizePage, withoutField } from './authorize-page.js';
import {
  type AuthorizationServer,
  type AuthorizeRequest,
  ClientError,
  UnknownClient,
  answerTo,
  readAuthorizeRequest,
} from './authorize-request.js';
import { authorizationServer } from './authorization-server.js';
import { csrfField } from './form.js';
import type { FormPurpose } from './form-seal.js';
import { returnToClientPage, unknownClientPage } from './return-page.js';
import { redirectsDirectly } from './redirects-directly.js';
import { type FormError, toFormError } from './page-faults.js';
import { ShowsPage, TakesForm } from './page-routes.js';
import { Parameters } from './parameters.js';
import { signInWith } from './sign-in.controller.js';
import type { PageRequest } from './page-request.js';
import { PageRequests } from './page-requests.js';

const own = ['email', 'password', 'decision', csrfField, ...scopes.map(withoutField)];

const both = ['/oauth/authorize', '/id/authorize'] as const;

@Controller()
export class AuthorizeController {
  constructor(
    private readonly platform: Platform<OAuthEnvironment>,
    private readonly pages: PageRequests,
  ) {}

  @ShowsPage(...both)
  show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.with(request, reply, (page, server, asked) => showForm(page, server, asked));
  }

  @TakesForm(...both)
  take(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.with(request, reply, async (page, server, asked) => {
      try {
        page.verifyForm(toPurpose(server, asked));
        await this.decide(page, server, asked);
      } catch (error) {
        showForm(page, server, asked, toFormError(error));
      }
    });
  }

  private async decide(page: PageRequest, server: AuthorizationServer, asked: AuthorizeRequest): Promise<void> {
    const decision = page.body.get('decision');
    if (decision === 'deny') {
      await returnError(page, server, asked, { ...denied, status: 200 });
      return;
    }
    if (decision === 'switch') {
      showForm(page, server, { ...asked, fresh: true });
      return;
    }
    const granted = grantedScopes(page, asked);
    const signsIn = givesCredentials(page) || asked.fresh || !page.signedIn;
    if (signsIn && !(await signInWith(page, toReturnPath(server, asked)))) return;
    const here = page.signedIn;
    if (!here?.account) {
      showForm(page, server, asked);
      return;
    }
    const { code } = await issueCode(page.ctx, {
      issuer: server.kind,
      clientId: asked.client.id,
      redirectUri: asked.redirectUri,
      codeChallenge: asked.codeChallenge,
      resource: asked.resource,
      userId: here.user.id,
      scopes: granted,
      strict: this.platform.environment.LENSFORGE_OAUTH_STRICT_CODES,
    });
    page.redirect(toRedirect(server, asked, { code }));
  }

  private async with(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (page: PageRequest, server: AuthorizationServer, asked: AuthorizeRequest) => Promise<void> | void,
  ): Promise<void> {
    const page = await this.pages.open(request, reply);
    const server = authorizationServer(this.platform.environment, request);
    const parameters = Parameters.merged(page.body, page.query).without(...own);
    try {
      await work(page, server, await readAuthorizeRequest(page.ctx, server, parameters));
    } catch (error) {
      if (error instanceof UnknownClient) page.show(400, unknownClientPage(error));
      else if (error instanceof ClientError) {
        const { client, redirectUri, error: code, message } = error;
        await returnError(page, server, { client, redirectUri, parameters }, { code, message, status: 400 });
      } else throw error;
    }
  }
}

/** The scopes that the person leaves out; with a read scope, the write scope that includes it. */
const leftOutIn = ({ body }: PageRequest, { scopes = [] }: AuthorizeRequest): readonly Scope[] => {
  const isLeftOut = (scope: Scope): boolean => body.get(withoutField(scope)) !== undefined;
  return scopes.filter((scope) => isLeftOut(scope) || isLeftOut(scope.replace(/:write$/, ':read') as Scope));
};

function grantedScopes(page: PageRequest, asked: AuthorizeRequest): readonly Scope[] | undefined {
  const leftOut = leftOutIn(page, asked);
  const granted = asked.scopes?.filter((scope) => !leftOut.includes(scope));
  if (granted?.length === 0) throw new DomainError('BAD_INPUT', 'Keep at least one scope, or deny the request');
  return granted;
}

const denied = { code: 'access_denied', message: 'The user denied access' } as const;

/** The path to return to after a sign-in on another page, which must not ask for one again. */
const toReturnPath = ({ path }: AuthorizationServer, { parameters }: AuthorizeRequest): string =>
  `${path}?${new URLSearchParams(parameters.without('prompt').entries()).toString()}`;

const givesCredentials = ({ body }: PageRequest): boolean => Boolean(body.get('email') ?? body.get('password'));

const toPurpose = ({ kind }: AuthorizationServer, { parameters }: AuthorizeRequest): FormPurpose => ({
  form: `authorize ${kind}`,
  bound: parameters.entries(),
});

function showForm(
  page: PageRequest,
  server: AuthorizationServer,
  request: AuthorizeRequest,
  formError?: FormError,
): void {
  const here = page.signedIn;
  const nameless = here !== undefined && !here.account;
  const mayContinue = !request.fresh && !givesCredentials(page);
  const view = {
    server,
    request,
    token: page.sealed(toPurpose(server, request)),
    as: mayContinue && here?.account ? here.account : undefined,
    nameless,
    here: toReturnPath(server, request),
    typedEmail: page.body.get('email'),
    formError,
    leftOut: leftOutIn(page, request),
  };
  const refused = page.posted && nameless && page.body.get('decision') !== 'switch';
  page.show(formError?.status ?? (refused ? 403 : 200), authorizePage(view), formError?.headers);
}

type Returned = Pick<AuthorizeRequest, 'client' | 'redirectUri' | 'parameters'>;

const toRedirect = (
  { issuer }: AuthorizationServer,
  { redirectUri, parameters }: Pick<Returned, 'redirectUri' | 'parameters'>,
  answer: Readonly<Record<string, string>>,
): string => answerTo(redirectUri, { ...answer, state: parameters.get('state'), iss: issuer });

interface ReturnedError {
  code: string;
  message: string;
  /** The status of the page, if the browser is not redirected. */
  status: 200 | 400;
}

/**
 * Returns an error to the client. For an unapproved client that registered itself, the page shows a link instead of
 * redirecting (RFC 9700, 4.11.2).
 */
async function returnError(
  page: PageRequest,
  server: AuthorizationServer,
  { client, redirectUri, parameters }: Returned,
  { code, message, status }: ReturnedError,
): Promise<void> {
  const url = toRedirect(server, { redirectUri, parameters }, { error: code, error_description: message });
  if (await redirectsDirectly(page, client, redirectUri)) page.redirect(url);
  else page.show(status, returnToClientPage({ client, redirectUri, url, code, message }));
}
