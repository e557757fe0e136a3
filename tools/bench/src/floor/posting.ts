/** What the poster is asked for. */
export interface Posting {
  url: string;
  body: string;
  count: number;
  atOnce: number;
}
