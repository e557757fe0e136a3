export const creditPeriods = ['month', 'total'] as const;
export type CreditPeriod = (typeof creditPeriods)[number];
