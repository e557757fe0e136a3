/** The tab and the filters of the battles in the address. */
export interface BattleSearch {
  tab?: string | undefined;
  status?: string | undefined;
  type?: string | undefined;
  mine?: true | undefined;
  source?: string | undefined;
  style?: true | undefined;
  /** The lenser whose history is shown. */
  lenser?: string | undefined;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const flag = (value: unknown): true | undefined => (value === true ? true : undefined);

export const readBattleSearch = (search: Record<string, unknown>): BattleSearch => ({
  tab: text(search['tab']),
  status: text(search['status']),
  type: text(search['type']),
  mine: flag(search['mine']),
  source: text(search['source']),
  style: flag(search['style']),
  lenser: text(search['lenser']),
});
