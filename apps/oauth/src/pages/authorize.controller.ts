import { Platform } from '@lensforge/edge';
import { issueCode } from '@lensforge/identity';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OAuthEnvironment } from '../environment.js';
import { authorizePage } from './authorize-page.js';
import type { AuthorizationServer, AuthorizeRequest } from './authorize-request.js';
import { ReturnedFault, UnknownClient, answerTo, readAuthorizeRequest } from './authorize-request.js';
import { authorizationServer } from './authorization-server.js';
import { csrfField } from './form.js';
import type { FormPlace } from './form-seal.js';
import { returnPage, unknownClientPage } from './return-page.js';
import { returnsByItself } from './returns-by-itself.js';
import type { Complaint } from './page-faults.js';
import { complaintOf } from './page-faults.js';
import { ShowsPage, TakesForm } from './page-routes.js';
import { Parameters } from './parameters.js';
import { signInWith } from './sign-in.controller.js';
import type { PageRequest } from './page-request.js';
import { PageRequests } from './page-requests.js';

const own = ['email', 'password', 'decision', csrfField];

const both = ['/oauth/authorize', '/id/authorize'] as const;

@Controller()
export class AuthorizeController {
  constructor(
    private readonly platform: Platform<OAuthEnvironment>,
    private readonly visits: PageRequests,
  ) {}

  @ShowsPage(...both)
  show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.with(request, reply, (visit, server, asked) => showForm(visit, server, asked));
  }

  @TakesForm(...both)
  take(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.with(request, reply, async (visit, server, asked) => {
      try {
        visit.mustBeOurs(placeOf(server, asked));
        await this.decide(visit, server, asked);
      } catch (error) {
        showForm(visit, server, asked, complaintOf(error));
      }
    });
  }

  private async decide(visit: PageRequest, server: AuthorizationServer, asked: AuthorizeRequest): Promise<void> {
    const decision = visit.body.get('decision');
    if (decision === 'deny') {
      await returnError(visit, server, asked, { ...denied, status: 200 });
      return;
    }
    if (decision === 'switch') {
      showForm(visit, server, { ...asked, fresh: true });
      return;
    }
    if (givesCredentials(visit) || asked.fresh || !visit.signedIn) await signInWith(visit);
    const here = visit.signedIn;
    if (!here?.account) {
      showForm(visit, server, asked);
      return;
    }
    const { code } = await issueCode(visit.ctx, {
      issuer: server.kind,
      clientId: asked.client.id,
      redirectUri: asked.redirectUri,
      codeChallenge: asked.codeChallenge,
      resource: asked.resource,
      userId: here.user.id,
      strict: this.platform.environment.LENSFORGE_OAUTH_STRICT_CODES,
    });
    visit.goTo(answerOf(server, asked, { code }));
  }

  private async with(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (visit: PageRequest, server: AuthorizationServer, asked: AuthorizeRequest) => Promise<void> | void,
  ): Promise<void> {
    const visit = await this.visits.open(request, reply);
    const server = authorizationServer(this.platform.environment, request);
    const parameters = Parameters.merged(visit.body, visit.query).without(...own);
    try {
      await work(visit, server, await readAuthorizeRequest(visit.ctx, server, parameters));
    } catch (error) {
      if (error instanceof UnknownClient) visit.page(400, unknownClientPage(error));
      else if (error instanceof ReturnedFault) {
        const { client, redirectUri, error: code, message } = error;
        await returnError(visit, server, { client, redirectUri, parameters }, { code, message, status: 400 });
      } else throw error;
    }
  }
}

const denied = { code: 'access_denied', message: 'The user denied access' } as const;

const givesCredentials = ({ body }: PageRequest): boolean => Boolean(body.get('email') ?? body.get('password'));

const placeOf = ({ kind }: AuthorizationServer, { parameters }: AuthorizeRequest): FormPlace => ({
  form: `authorize ${kind}`,
  bound: parameters.entries(),
});

function showForm(
  visit: PageRequest,
  server: AuthorizationServer,
  request: AuthorizeRequest,
  complaint?: Complaint,
): void {
  const here = visit.signedIn;
  const nameless = here !== undefined && !here.account;
  const mayContinue = !request.fresh && !givesCredentials(visit);
  const query = new URLSearchParams(request.parameters.entries()).toString();
  const view = {
    server,
    request,
    token: visit.sealed(placeOf(server, request)),
    as: mayContinue && here?.account ? here.account : undefined,
    nameless,
    here: `${server.path}?${query}`,
    typedEmail: visit.body.get('email'),
    complaint,
  };
  const refused = visit.posted && nameless && visit.body.get('decision') !== 'switch';
  visit.page(complaint?.status ?? (refused ? 403 : 200), authorizePage(view), complaint?.headers);
}

type Returned = Pick<AuthorizeRequest, 'client' | 'redirectUri' | 'parameters'>;

const answerOf = (
  { issuer }: AuthorizationServer,
  { redirectUri, parameters }: Pick<Returned, 'redirectUri' | 'parameters'>,
  answer: Readonly<Record<string, string>>,
): string => answerTo(redirectUri, { ...answer, state: parameters.get('state'), iss: issuer });

interface ReturnedError {
  code: string;
  message: string;
  /** Of the page, where the browser is not sent back by itself. */
  status: 200 | 400;
}

/**
 * Sends the browser to the client with an error. The address of an unapproved client that registered itself opens only
 * by a link on a page (RFC 9700, 4.11.2).
 */
async function returnError(
  visit: PageRequest,
  server: AuthorizationServer,
  { client, redirectUri, parameters }: Returned,
  { code, message, status }: ReturnedError,
): Promise<void> {
  const url = answerOf(server, { redirectUri, parameters }, { error: code, error_description: message });
  if (await returnsByItself(visit, client, redirectUri)) visit.goTo(url);
  else visit.page(status, returnPage({ client, redirectUri, url, code, message }));
}
