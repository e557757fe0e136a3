/** The grant types of `/id/token`. */
export const grantTypes = {
  code: 'authorization_code',
  refresh: 'refresh_token',
  device: 'urn:ietf:params:oauth:grant-type:device_code',
  anonymous: 'urn:lensforge:grant-type:anonymous',
} as const;
