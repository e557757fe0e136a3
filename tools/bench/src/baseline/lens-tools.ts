import pg from 'pg';

// Two tools with our statements only: no authentication, no access rules, no validation. Texts of versions are cached,
// as in Lensforge, because they never change.
const detail = `
select l.id, l.title, l.description, l.visibility, l.status,
       jsonb_build_object('id', a.id, 'handle', a.handle, 'displayName', a.display_name) as author,
       jsonb_build_object('id', v.id, 'semver', v.semver) as "headVersion", v.params, l.tags,
       iso(l.created_at) as "createdAt", iso(l.updated_at) as "updatedAt",
       v.template_body as "templateBody", v.changelog,
       (select jsonb_build_object('id', p.id, 'accountId', p.account_id, 'visibility', p.visibility, 'status', p.status)
          from lenses p where p.id = l.parent_lens_id and p.deleted_at is null) as parent,
       coalesce((select jsonb_agg(jsonb_build_object('label', b.label, 'versionId', w.id, 'semver', w.semver,
                                                     'updatedAt', iso(b.updated_at)) order by b.label)
                   from lens_labels b join lens_versions w on w.id = b.version_id where b.lens_id = l.id), '[]') as labels
  from lenses l
  join lens_versions v on v.id = l.head_version_id
  join accounts a on a.id = l.account_id
 where l.id = any($1) and l.deleted_at is null`;
const head = `
select id, account_id as "accountId", title, description, visibility, status, head_version_id as "headVersionId", tags
  from lenses where id = any($1) and deleted_at is null`;
const text = 'select template_body as body from lens_versions where id = $1';

interface Head {
  id: string;
  title: string;
  description: string;
  headVersionId: string;
}

type Args = Readonly<Record<string, unknown>>;

const db = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
db.on('error', () => undefined);

async function one<T>(name: string, sql: string, value: unknown): Promise<T> {
  const { rows } = await db.query({ name, text: sql, values: [value] });
  return rows[0] as T;
}

const bodies = new Map<string, string>();

async function bodyOf(versionId: string): Promise<string> {
  const known = bodies.get(versionId);
  if (known !== undefined) return known;
  const { body } = await one<{ body: string }>('text', text, versionId);
  bodies.set(versionId, body);
  return body;
}

const tools: Readonly<Record<string, (args: Args) => Promise<object>>> = {
  get_lens: (args) => one('detail', detail, [args['lens_id']]),
  run_lens: async (args) => {
    const { id, title, description, headVersionId } = await one<Head>('head', head, [args['lens_id']]);
    const body = await bodyOf(headVersionId);
    const values = args['param_values'] as Record<string, string>;
    const prompt = body.replace(/\[\[([^\]]+?)!?\]\]/g, (_, name: string) => values[name] ?? '');
    return {
      resolved_prompt: prompt,
      lens_title: title,
      lens_description: description,
      run_id: null,
      lens_id: id,
      version_id: headVersionId,
      params_used: values,
      persisted: false,
    };
  },
};

/** The response to a tools/call of both baselines. */
export async function callTool(name: string, args: Args): Promise<{ content: { type: 'text'; text: string }[] }> {
  const answer = await tools[name]?.(args);
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer } as never;
}

export const toolNames = Object.keys(tools);
