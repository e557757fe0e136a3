export const tooLate = Symbol('too late');

/** The outcome of `work`, or `tooLate` after `ms`. Work that fails after its time fails unheard. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | typeof tooLate> {
  work.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<typeof tooLate>((resolve) => {
    timer = setTimeout(resolve, ms, tooLate);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
