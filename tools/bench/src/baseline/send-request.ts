/** A request to the sender. */
export interface Posting {
  url: string;
  body: string;
  count: number;
  atOnce: number;
}
