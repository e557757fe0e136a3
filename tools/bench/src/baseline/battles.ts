import fastify from 'fastify';
import pg from 'pg';

// The minimal program that takes votes and shows battles: one INSERT for a vote, one SELECT for a battle.
const { DATABASE_URL: connectionString, PORT: port } = process.env;
process.on('disconnect', () => process.exit());

const db = new pg.Pool({ connectionString, max: 10 });
const http = fastify();

const detail = `
select b.*, (select jsonb_agg(c order by c.slot_label) from battle_contenders c where c.battle_id = b.id) as contenders,
       (select jsonb_agg(s) from battle_submissions s where s.battle_id = b.id) as submissions
  from battles b where b.id = $1`;

http.get('/ready', () => ({ ready: true }));

http.post<{ Params: { id: string }; Headers: { 'x-account': string }; Body: { ranking: string[] } }>(
  '/battles/:id/votes',
  async ({ params: { id }, headers, body }) => {
    const values = [id, headers['x-account'], JSON.stringify(body.ranking.map((each) => [each]))];
    const text = 'insert into baseline_votes (battle_id, account_id, ranking) values ($1, $2, $3)';
    await db.query({ name: 'vote', text, values });
    return { id };
  },
);

http.get<{ Params: { id: string } }>('/battles/:id', async ({ params: { id } }) => {
  const { rows } = await db.query<object>({ name: 'battle', text: detail, values: [id] });
  return rows[0];
});

await http.listen({ port: Number(port), host: '127.0.0.1' });
