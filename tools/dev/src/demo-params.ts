/** Values for the parameters of the demo lens. */
export const demoParams = { Product: 'Lensforge', Audience: 'people who like small tools', Tone: 'friendly' };
