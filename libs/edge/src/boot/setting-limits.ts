// Limits of settings that several services have, each with its own description.

export const httpUrl = { pattern: /^https?:\/\/\S+$/, max: 2000 } as const;

export const masterKeyText = { min: 1, max: 2000 } as const;

export const smtpUrl = { pattern: /^smtps?:\/\/\S+$/, max: 2000, optional: true } as const;
export const mailSender = { pattern: /^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/, max: 300, optional: true } as const;

export const perMinute = { min: 1, max: 1_000_000 } as const;
export const perAccount = { min: 1, max: 100_000 } as const;
export const replicas = { min: 1, max: 1000 } as const;

export const replicaUrl = {
  pattern: /^postgres(ql)?:\/\/\S+$/,
  max: 2000,
  optional: true,
  description:
    'The address of a streaming replica, which answers lists and reads of stored events; DATABASE_CA applies to it, too.',
} as const;
