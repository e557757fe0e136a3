import { createHash } from 'node:crypto';
import {
  InvalidInput,
  type Issue,
  type PlatformExecutionAccepted,
  type RequestIssue,
  type RunCause,
  endpoints,
  faultInJson,
  isRecord,
} from '@lensforge/contracts';
import { type Actor, type Context, DomainError, newId, readRights, requiredMessage } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import {
  Bearer,
  HttpFault,
  NotJson,
  Platform,
  RateLimits,
  Serves,
  callerAddress,
  createRequestContext,
  enforceRateLimit,
  countUnauthenticated,
  jsonOfRawBody,
  getRawBody,
  refuseQuery,
  restFault,
} from '@lensforge/edge';
import { acceptWorkflowRun } from '@lensforge/runs';
import { KeyRing } from '@lensforge/vault';
import {
  type AuthenticatedWebhook,
  type IncomingProof,
  IncomingWebhookAuthenticator,
  loggedBody,
} from '@lensforge/webhooks';
import { type InputFaults, inputFaultsMessage } from '@lensforge/workflows';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayEnvironment } from '../environment.js';
import { CallLog } from './call-log.js';

const maxKeyLength = 255;

@Controller()
export class ReceiveController {
  private readonly authenticator: IncomingWebhookAuthenticator;

  constructor(
    private readonly platform: Platform<GatewayEnvironment>,
    private readonly bearer: Bearer,
    private readonly limits: RateLimits,
    private readonly callLog: CallLog,
    ring: KeyRing,
  ) {
    this.authenticator = new IncomingWebhookAuthenticator(ring, (err) =>
      platform.logger.error({ err }, 'the secret of an incoming webhook cannot be decrypted'),
    );
  }

  @Serves(endpoints.callIncomingWebhook)
  async receive(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PlatformExecutionAccepted> {
    const proof = await this.readProof(request);
    const { webhookId } = request.params as { webhookId: string };
    const webhook = await withDbRetry(() =>
      this.authenticator.authenticate(this.platform.database.manager, webhookId, proof),
    );
    if (!webhook) throw await this.refuse(request, reply);
    try {
      if (webhook.via === undefined) throw await this.refuse(request, reply);
      const accepted = await this.accept(webhook, proof, request, reply);
      this.logCall(webhook, request, { status: 202, reason: null, runId: accepted.runId });
      return accepted;
    } catch (error) {
      const { status, message } = restFault(error);
      this.logCall(webhook, request, { status, reason: message, runId: null });
      throw error;
    }
  }

  private async readProof(request: FastifyRequest): Promise<IncomingProof> {
    const { headers } = request;
    const signatures = [headers['x-webhook-signature'], headers['x-hub-signature-256']];
    return {
      body: getRawBody(request),
      secret: headerValue(headers['x-webhook-secret']),
      signatures: signatures.map(headerValue).filter((each) => each !== undefined),
      timestamp: headerValue(headers['x-webhook-timestamp']),
      actor: headers.authorization === undefined ? undefined : await this.authenticateCaller(request),
    };
  }

  /** The actor of the bearer token; undefined for an invalid token, since another proof may be valid. */
  private async authenticateCaller(request: FastifyRequest): Promise<Actor | undefined> {
    try {
      return await this.bearer.authenticate(request);
    } catch (error) {
      if (error instanceof HttpFault && error.status === 401) return undefined;
      throw error;
    }
  }

  /** Counts the call as unauthenticated for its network, which limits guesses of secrets. */
  private async refuse(request: FastifyRequest, reply: FastifyReply): Promise<HttpFault> {
    await countUnauthenticated(this.limits, request, reply);
    return unauthenticated();
  }

  private async accept(
    webhook: AuthenticatedWebhook,
    proof: IncomingProof,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<PlatformExecutionAccepted> {
    enforceRateLimit(reply, await this.limits.take('incoming', webhook.id));
    refuseQuery(request);
    const inputs = paramsIn(request);
    const { runId, status } = await acceptWorkflowRun(this.contextFor(webhook, proof, request), {
      workflowId: webhook.workflowId,
      inputs,
      idempotencyKey: toRunKey(webhook, proof, request),
      timeoutMs: this.platform.environment.LENSFORGE_RUN_TIMEOUT_MS,
      cause: { kind: 'incoming_webhook', webhookId: webhook.id } satisfies RunCause,
      isDeferred: true,
    }).catch((error: unknown) => {
      throw asParamsFault(error);
    });
    return { runId, status, workflowId: webhook.workflowId };
  }

  /** A caller with the secret acts for the account of the webhook, with the authority that it has stored. */
  private contextFor(
    { id, accountId, authority, via }: AuthenticatedWebhook,
    { actor }: IncomingProof,
    request: FastifyRequest,
  ): Context {
    const { scopes, creditLimit } = readRights(authority);
    const credential = { kind: 'service', id, ...(creditLimit && { creditLimit }) } as const;
    const own: Actor = { credential, accountId, userId: null, scopes };
    const { database, now } = this.platform;
    return createRequestContext({ db: database.manager, now }, request, via === 'bearer' && actor ? actor : own);
  }

  private logCall(
    { id, via }: AuthenticatedWebhook,
    request: FastifyRequest,
    outcome: { status: number; reason: string | null; runId: string | null },
  ): void {
    const body = getRawBody(request);
    this.callLog.add({
      id: newId(),
      webhookId: id,
      ...outcome,
      reason: outcome.reason?.slice(0, 1000) ?? null,
      via: via ?? null,
      deliveryKey: via === undefined ? null : (readDeliveryKey(request)?.slice(0, maxKeyLength) ?? null),
      body: via === undefined ? null : loggedBody(body),
      bodyBytes: body.length,
      address: callerAddress(request),
      requestId: request.id,
      createdAt: this.platform.now(),
    });
  }
}

/** The same error for an unknown webhook and for an invalid proof. */
const unauthenticated = (): HttpFault =>
  new HttpFault(
    401,
    'unauthorized',
    'There is no such webhook, or the credential or signature of this call is not valid for it',
    {
      headers: {
        'www-authenticate': 'Bearer',
      },
    },
  );

const headerValue = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined;

const readDeliveryKey = ({ headers }: FastifyRequest): string | undefined =>
  headerValue(headers['idempotency-key']) ?? headerValue(headers['x-webhook-delivery-id']);

/** The idempotency key of the run: the caller's key, or timestamp and body of a signed call, which only its owner can make. */
function toRunKey(
  { id, via }: AuthenticatedWebhook,
  { timestamp, body }: IncomingProof,
  request: FastifyRequest,
): string | undefined {
  const given = readDeliveryKey(request);
  if (given !== undefined && (given.length > maxKeyLength || given.trim() === '')) {
    throw new InvalidInput([idempotencyKeyIssue]);
  }
  if (given !== undefined) return `in ${id} key ${digest(given)}`;
  if (via !== 'signature' || timestamp === undefined) return undefined;
  return `in ${id} call ${timestamp} ${digest(body)}`;
}

const digest = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

const idempotencyKeyIssue: RequestIssue = {
  in: 'header',
  path: 'Idempotency-Key',
  message: `must be 1 to ${maxKeyLength} characters long`,
};

/** The params of the body. The contract has one status for all faults in a body. */
function paramsIn(request: FastifyRequest): Record<string, unknown> {
  const body = readBody(request);
  const fault = faultInJson(body);
  if (fault) throw unprocessable([], [fault]);
  if (!isRecord(body)) throw unprocessable([], [{ path: '', message: 'must be a JSON object' }]);
  const params = Object.hasOwn(body, 'params') ? body['params'] : undefined;
  if (isRecord(params)) return params;
  if (params === undefined) throw unprocessable(['params'], []);
  throw unprocessable([], [{ path: 'params', message: 'must be an object' }]);
}

function readBody(request: FastifyRequest): unknown {
  try {
    return jsonOfRawBody(request);
  } catch (reason) {
    if (reason instanceof NotJson) throw unprocessable([], [{ path: '', message: reason.message }]);
    if (reason instanceof HttpFault && reason.status === 400) {
      throw unprocessable([], [{ path: '', message: 'must be UTF-8' }]);
    }
    throw reason;
  }
}

function unprocessable(missing: string[], invalid: Issue[]): DomainError {
  const [first] = invalid;
  const message = first ? `${first.path || 'The body'} ${first.message}` : requiredMessage(missing);
  return new DomainError('UNPROCESSABLE_PARAMS', message, { missing, invalid });
}

/** Names faults in the inputs of the workflow as faults in the params of the call. */
function asParamsFault(error: unknown): unknown {
  if (!(error instanceof DomainError) || error.code !== 'UNPROCESSABLE_PARAMS') return error;
  const faults = error.details as unknown as InputFaults;
  return new DomainError(error.code, inputFaultsMessage(faults, 'params'), error.details);
}
