import { createHash } from 'node:crypto';
import { endpoints, openApi } from '@lensforge/contracts';
import { Serves } from '@lensforge/edge';
import { Controller, Headers, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

interface ServedDocument {
  text: string;
  etag: string;
}

@Controller()
export class ApiDescriptionController {
  /** Made by the first request: most gateways are never asked for it. */
  private served: ServedDocument | undefined;

  @Serves(endpoints.getApiDescription)
  read(@Headers('if-none-match') known: string | undefined, @Res() reply: FastifyReply): void {
    const { text, etag } = (this.served ??= servedDocument());
    void reply.header('etag', etag).header('cache-control', 'private, no-cache');
    const isKnown = known?.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
    if (isKnown) void reply.code(304).send();
    else void reply.type('application/json; charset=utf-8').send(text);
  }
}

function servedDocument(): ServedDocument {
  const text = JSON.stringify(openApi());
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
}
