import pg from 'pg';

// Two tools with one query each and nothing around them: who asks, what they may see and what they sent is not looked at.
const detail = `
select l.id, l.title, l.description, l.visibility, l.status, l.account_id as lenser_id, l.head_version_id, v.semver,
       v.params as version_parameters, l.tags, iso(l.created_at) as created_at, iso(l.updated_at) as updated_at,
       l.parent_lens_id, a.handle as lenser_handle,
       jsonb_build_object('id', v.id, 'semver', v.semver, 'template_body', v.template_body) as versions
  from lenses l
  join lens_versions v on v.id = l.head_version_id
  join accounts a on a.id = l.account_id
 where l.id = $1 and l.deleted_at is null`;
const head = `
select l.id as lens_id, l.title as lens_title, l.description as lens_description, v.id as version_id, v.template_body as body
  from lenses l join lens_versions v on v.id = l.head_version_id where l.id = $1 and l.deleted_at is null`;

interface Head {
  body: string;
}

type Args = Readonly<Record<string, unknown>>;

const db = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
db.on('error', () => undefined);

async function one<T>(name: string, text: string, { lens_id: id }: Args): Promise<T> {
  const { rows } = await db.query({ name, text, values: [id] });
  return rows[0] as T;
}

const tools: Readonly<Record<string, (args: Args) => Promise<object>>> = {
  get_lens: (args) => one('detail', detail, args),
  run_lens: async (args) => {
    const { body, ...lens } = await one<Head>('head', head, args);
    const values = args['param_values'] as Record<string, string>;
    const prompt = body.replace(/\[\[([^\]]+?)!?\]\]/g, (_, name: string) => values[name] ?? '');
    return { resolved_prompt: prompt, ...lens, params_used: values, run_id: null, persisted: false };
  },
};

/** The answer to a tools/call, as both floors give it. */
export async function callTool(name: string, args: Args): Promise<{ content: { type: 'text'; text: string }[] }> {
  const answer = await tools[name]?.(args);
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer } as never;
}

export const toolNames = Object.keys(tools);
