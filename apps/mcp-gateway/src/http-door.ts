import { HttpFault, NeedsCredential, Platform } from '@lensforge/edge';
import { Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { tools } from './catalogue.js';
import type { Dispatch } from './dispatch.js';
import { createDispatch, protocolVersions } from './dispatch.js';
import type { McpEnvironment } from './environment.js';
import type { JsonRpcReply } from './json-rpc.js';
import { codes, errorReply } from './json-rpc.js';
import { isAllowedOrigin } from './origin.js';

/** What cannot be read as JSON is refused in the protocol's words, everything else at this door in HTTP's. */
const refusal = ({ status, message }: HttpFault): object | undefined =>
  status === 400 ? errorReply(null, { code: codes.parseError, message: `Parse error: ${message}` }) : undefined;

const refusedAsRequest: readonly number[] = [codes.parseError, codes.invalidRequest];

@Controller('mcp')
export class HttpDoor {
  private readonly dispatch: Dispatch;
  private readonly origins: readonly string[];

  constructor({ environment, logger }: Platform<McpEnvironment>) {
    this.dispatch = createDispatch(tools, (err) => logger.error({ err }, 'a message could not be answered'));
    this.origins = environment.LENSFORGE_MCP_ALLOWED_ORIGINS?.split(',').map((each) => each.trim()) ?? [];
  }

  @Post()
  @NeedsCredential({ rate: 'mcp', per: 'credential' }, { refusal })
  async post(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.checkOrigin(request);
    const { 'mcp-protocol-version': spoken } = request.headers;
    if (spoken !== undefined && !(protocolVersions as readonly unknown[]).includes(spoken)) {
      const message = `This server speaks the protocol versions ${protocolVersions.join(', ')}`;
      await reply.code(400).send(errorReply(null, { code: codes.invalidRequest, message }));
      return;
    }
    if (!request.caller) throw new Error('the door is open to callers without a credential');
    const answer = await this.dispatch(request.caller, request.body);
    if (answer === undefined) await reply.code(202).send();
    else await reply.code(statusOf(answer)).send(answer);
  }

  @Get()
  @NeedsCredential()
  get(): never {
    throw postOnly();
  }

  @Delete()
  @NeedsCredential()
  delete(): never {
    throw postOnly();
  }

  private checkOrigin({ headers: { origin } }: FastifyRequest): void {
    if (!isAllowedOrigin(origin, this.origins))
      throw new HttpFault(403, 'forbidden', 'This web origin may not call here');
  }
}

const postOnly = (): HttpFault =>
  new HttpFault(405, 'method_not_allowed', 'There is no stream and no session here; POST is possible', {
    allow: 'POST',
  });

// Clients lose the code of an error that comes with another status than 200, so only what is no request gets 400.
const statusOf = (answer: JsonRpcReply | JsonRpcReply[]): number =>
  !Array.isArray(answer) && 'error' in answer && refusedAsRequest.includes(answer.error.code) ? 400 : 200;
