import { integer, parse, text } from '@lensforge/contracts';
import { type Context, notFound, requireScope } from '@lensforge/core';
import { readFromReplica } from '@lensforge/database';
import { Caller, type CredentialOf, type HttpFault, NeedsCredential } from '@lensforge/edge';
import {
  findByName,
  listNumberedVersions,
  listOwnNames,
  readLensName,
  readPromptVersion,
  toMustache,
  toOpenAiMembers,
} from '@lensforge/lenses';
import { Controller, Get, Param, Query } from '@nestjs/common';

const maxPrompts = 200;

class PromptQuery {
  @integer({ min: 1, max: 1_000_000, optional: true })
  version?: number;

  @text({ min: 1, max: 100, optional: true })
  label?: string;
}

class PromptsQuery extends PromptQuery {
  @text({ min: 1, max: 200, optional: true })
  name?: string;

  @text({ min: 1, max: 100, optional: true })
  tag?: string;

  @integer({ min: 1, max: 1000 })
  page = 1;

  @integer({ min: 1, max: 100 })
  limit = 50;
}

/** Clients of Langfuse send a public key and a secret key; the secret one is a token. */
const basicCredential: CredentialOf = (_parts, request) => {
  const [, given] = /^Basic ([A-Za-z0-9+/=]{1,2000})$/.exec(request.headers.authorization ?? '') ?? [];
  const [, secret] = given === undefined ? [] : Buffer.from(given, 'base64').toString('utf8').split(':', 2);
  if (secret) request.headers.authorization = `Bearer ${secret}`;
  return undefined;
};

const refusal = ({ status, code, message }: HttpFault): object => ({ error: `${status} ${code}`, message });
const asRead = {
  rule: { audience: 'accounts', rate: 'read' },
  more: { refusal, credentialOf: basicCredential },
} as const;

/** The part of the API of Langfuse by which programs read their prompts: lenses by their names. */
@Controller('api/public/v2/prompts')
export class LangfuseController {
  @Get()
  @NeedsCredential({ ...asRead.rule, rate: 'list' }, asRead.more)
  async list(@Caller() ctx: Context, @Query() query: Record<string, string>): Promise<object> {
    requireScope(ctx, 'lenses:read');
    const { name, label, tag, version, page, limit } = parse(PromptsQuery, query, { fromText: true });
    const names = (await listOwnNames(ctx, maxPrompts)).filter(
      (lens) => (name === undefined || lens.name === name) && (tag === undefined || lens.tags.includes(tag)),
    );
    const ids = names.map(({ id }) => id);
    const versionsOf = await readFromReplica(ctx, (ctx) => listNumberedVersions(ctx, ids));
    const all = names.map((lens) => ({ ...lens, versions: versionsOf.get(lens.id) ?? [] }));
    const found = all.filter(
      ({ versions }) =>
        (label === undefined || versions.some(({ labels }) => labels.includes(label))) &&
        (version === undefined || versions.length >= version),
    );
    return {
      data: found.slice((page - 1) * limit, page * limit).map(({ versions, ...lens }) => ({
        name: lens.name,
        type: lens.isConversation ? 'chat' : 'text',
        versions: versions.map(({ number }) => number),
        labels: [...new Set(versions.flatMap(({ labels }) => labels)), 'latest'],
        tags: lens.tags,
        lastUpdatedAt: lens.updatedAt,
        lastConfig: {},
      })),
      meta: { page, limit, totalItems: found.length, totalPages: Math.ceil(found.length / limit) },
    };
  }

  @Get(':name')
  @NeedsCredential(asRead.rule, asRead.more)
  async read(
    @Caller() ctx: Context,
    @Param('name') name: string,
    @Query() query: Record<string, string>,
  ): Promise<object> {
    requireScope(ctx, 'lenses:read');
    const { version: number, label } = parse(PromptQuery, query, { fromText: true });
    const lensId = await findPrompt(ctx, name);
    const found = await readPromptVersion(ctx, lensId, { number, label });
    const { version, tags } = found;
    const prompt = toMustache(version.template);
    return {
      id: version.id,
      name,
      version: found.number,
      type: typeof prompt === 'string' ? 'text' : 'chat',
      prompt:
        typeof prompt === 'string'
          ? prompt
          : prompt.map((each) =>
              each === 'history' ? { type: 'placeholder', name: 'history' } : { type: 'chatmessage', ...each },
            ),
      config: version.settings ? { ...toOpenAiMembers(version.settings), settings: version.settings } : {},
      labels: found.labels,
      tags,
      commitMessage: version.changelog,
      createdAt: version.createdAt,
      resolutionGraph: null,
    };
  }
}

/** A lens by `handle/title`, or by its title alone when it is one of the caller. */
async function findPrompt(ctx: Context, name: string): Promise<string> {
  const named = readLensName(name);
  if (named) return findByName(ctx, named);
  const own = (await listOwnNames(ctx, maxPrompts)).find((lens) => lens.name.endsWith(`/${name}`));
  if (!own) throw notFound('lens', name.slice(0, 200));
  return own.id;
}
