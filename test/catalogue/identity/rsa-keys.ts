import { createPrivateKey, type KeyObject } from 'node:crypto';

/**
 * RSA keys for tests, because creating one takes a fraction of a second of CPU time. They are public and protect nothing.
 */
const pkcs8: readonly string[] = [
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDcy0m5XPUhu4R1VA1V/yMwX+P4rK2DOj08lxPAq1Zs55OY' +
    'lZRapt5fn7N5jMFAV1evH0ypN37kHGqnWRlX8AssTjtATNsPrAi4LBq9KYBxoB6w2D3cDz3L1LLwMCTvQfNevhMdVKwC58I7' +
    'NI3VFVDgk4g4s0VT/kxwBDjkntgapYgFFkfo4X+QNa2y4qhfJXOrviFBiKA+CCo3IDXtj9m6jfpfvwc23t8CbdteXWWGbuqy' +
    '0k499OOXFKBqbqRQLgCgvjX4IUhzjXdgPAWbM0p1Z5QA2dcNTZF38pWF3/lXu5LUYW4WcPDozovnF/nm8iswpj1YXJP4V+Tu' +
    'RA1hZ54rAgMBAAECggEAM+r/dn1jzN9NqdMuYZrheOYLcrWUBWgD70PtKqB/bZNUswv1Ow3C+4RPjRTqekkvfqfi/GVmypfe' +
    'AmTinzl8PxpUN237EufWkwwX64QfRliq7tWiUiUpWE03GGCRxsrgwdX7I6n92p8JnqdgdIsTHgPDA+Yvtqz052Auyp+JXFZB' +
    'S70L1ERNINH0++U9LidHeGXmSg+dO3iOk1Kjdd45ZL17JCwpKVqIyt8cj32aIeRIWghHzWGhqzcGoL9w50aZEpOEZfmy2+tZ' +
    '/AJ5gZ1B3Uvb6RCurejOsbXW6HdgZEPoIKmCYcBdJ2+DlFRRtkGJPMe21gp9Oh7E/W7Ut6aPuQKBgQD3gkaiVCYuJztnXptE' +
    'yCQeve0yiMduZQpw9ZJeGi1xxmz1jtrasT6YskAzQFep42AWptL3T9hWrCTlZU0faRxI2KLBTDOyQzrI8/sU9nIABraqYWum' +
    'T3QGDu0uX1jAo1qwaKfC7Vwz7O4oRGFJsW7Mj+3ts0oqohEy3yQyCECp2QKBgQDkXmROkfaw88c4iQ04fd8xIqcmbCy6WxEk' +
    'coO4vHTqdV9wyJBLS6nS/FBipNwVogEk7PsDzx1SdEPZKHavxlOrleVViE1KnDs6CoiyDEKmLgqjnvBXfNjYW2HONOJ1DceQ' +
    'uLpoN8dRv4WrqOUeSZwQRZZJpuTS1Hx7yL3+JHqhowKBgEoncughlArR4D9ZHeXenMvFFXLFfhK6HQW43XBqIWFsFKsBcNqC' +
    'rgFrrkZsqZcRs3E17BECkAtvqeI8ln2prTq6BREqtnZbJBqe1oPyTjdpy4KCi5EZTuadxDvXfyzABGTEBjcljDFWdAgGbKt6' +
    'iHqrSJql07uwMLzwE9UVmeIJAoGAXs4M6E1SU12wu/ixg11F9fkD2UCZRPgfYrkjk+KwytDVQVYSCSAtLUjP+lOkhlqODQ1Q' +
    'm+E0tBFORW217/zuqVH+Ngbyx2GaeNr8qqXKWYDNq+WEs11CDHfLX7a2uI9y5NK7mB5n4bkXvg7Mp0k5v8uTu5nMbvYFg8Hv' +
    'lf0A5+8CgYEArSApTV5Xmw7D/DY3jbcspzR6dN8rV2CV+qwOKtTT/yCQLxsEZGUwcXwyXznaHlXbm5cI8YxErB1vtgPI0ZeO' +
    'xeZVx/hEWN57Sbdbh0LwvMcvHPPmahM6VD7TtrOu1z06goOf6PPlDdUK3Wb08g2dWYD2chU/ExPPIfPEKHZ6sO8=',
  'MIIEugIBADANBgkqhkiG9w0BAQEFAASCBKQwggSgAgEAAoIBAQC2inr7FfU6b7C+o3uOG4MbEvgDv0wYXbHpwJkW4CQJGoV6' +
    'jFzbktqmTewS4xf1I2UBnusaIiykZ6VZ883orV3dplaepeW5QZYrKFRTs+JweTOIXfNVRk2Y8/qwvNXyxnYT0ex6Hkyo49sk' +
    'DdVLQ26uwWh54PcDppN5+d1Jdi3hJ6tQRDyssaT482ViALaB8UmPolc1R+MeQ2H1lnrk0dvvjlKQjVK/oZVvU6bofs/Yo32Q' +
    '3tEcnRmN7WukB/o/5YW82GkdDA+3HsCuOZ4uBijhz2aDixJq3xv1sXV85ZAi8EcJoInANQAYe+z+uXZiw35aajL6WsMKDP0k' +
    'ptQEbYEVAgMBAAECgf9vpGCAiChGxH5z7BowtVkfDZDXpR3Ib0463L/iwBfB/2Cab0n6xShavrMqx5KGuK84wLVjqGdrqT/j' +
    'ZrvauPP/YVqLCY+afut4a/TrU6UZIsujg2hsltbzg6Nh7LlOed33as7LpZCU2N4a3ROH0N6RX4Pj7Y09C8NATZBUv7pPt+d7' +
    '2t+K3NRJ4My3QNSvk7h4n7PFLyaic+wCjnh1aH/0+o7awlQDuqg6jR0f6IIq64VK5qmsE4IvdO/2V+LYvT3Zb/GzI2kvh2Tv' +
    'FUWBpfwU9TRQmOHsoop2Vt2GT6Dfce/dEI9LJrfmqGtV5rJNLFq9U/1V3ToPMk1lulpSrKcCgYEA2DN7+mTkBeOsdAKdx6bG' +
    'IDOZl9BanKofLxASiIiA+fZ4T5tFYaMiJhZPRGd+XIcl7bYAPlBnmO33tlXawXb3flxdFcpfj2nLqEE1+jvTzRY1O1mCFaa9' +
    'yiZvpToX6g5VNpEwnvt+30r3D2db4PWsFCYdLYGO7XcC7G7u7mljPg8CgYEA2CTBKh1AxPbpNEM3miXS2J6DvUyK/jRrUZD4' +
    'lMsBAOmy3nFMGzYjLDfo2MkVd1N0v1fRx54cbl3R4/Ka+PVkwXD5XnDj4b+4cnFYU3odvmPEyS8Ha4XHbX2KGl5484/Er4OM' +
    'WoN8+nTJ+lzA/uDamPmCdJP73sXo2rQXvbFIMpsCgYAR8IOzDTgWfQPMRINPE7mQ5ncyL6m1IjCgORcwmRMKqrbk9B9XsK+e' +
    'tW8yX9wOVXCCPv3aLdXKzMQnLwyNzQ9QPt3Cdx5iygaKGY8fCmPSuqsEF7NBlKpe4b2V2jIty66qbnW4W2n1oUTK1Gq9SeVT' +
    'bq4xHnT7o0psz++nfLstZQKBgEyROJxioH8luJb6+Mdyfq6d+K0mYFaM2zeZ03ViNIjOQL7sA7ngA7W2WJXzJdePiNv/kCDW' +
    'sdunAKNvXdazl22vR6dc9l0SPZTM8i0gJUk8rolWT5qXWX4/6pxMuywM0fAa+a1Wxv8yQBqgoP2pScbHHJ+PjLnuAf73rTFV' +
    'i+3hAoGAZ2MT4FhKHxO+Ah1EBWU9DzLGk0TCipoETiv3r65tkMrngLrS8DUVkw4UHvFePg3J5dv7FzkBYrQRzGAoyKhXzbRy' +
    'x80h2Mq1Zfme0CRxHmpin/HH6eHn6NSxMlFGZUzCTeWLViHmHyilmXoqwvPYzWrlZG1AiXwLyQeyWI3Gr4g=',
  'MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQDSABPmdXFwYc9h5jZVNhvUAMiJhsuoQlpg0c1jZw68nuy7' +
    'dUS5R1l9WZiUuj2thFVX930uh8V5NrxRdFwWr+XO6sVwaCY5IbMViKeX3D291Ox6+ji3aGcZ7oJ/qXlHRVg68O730yIaTwdA' +
    'XwiCMAWJKSGK2GT4AFDWyib/xw3vZyu+Oy/DKRFrthK/+8c4xIBK0SHhT/IhARUyJMmQYwIjole7WGSUwT19mcsvP6qFIK/l' +
    'PsCLx8mw/qdAT1nNrggD2p2GjQYlCho+WMSiykVLvRaaePwvZShAd9pPsdgbafBToFY8pxk8U79Jwhbqa6T4dOwpAR5ycUub' +
    '2NB2g64BAgMBAAECggEAAN0Bz+++sgBAL+0sRwouw+K+YE68WiFek5dJtgpjL5M6/pHavNTxTjEp1fbQepDesKK/iDMsGJuV' +
    'C2P+PdxyijzVv6ypL3D5EmwbQaYE18WtDKPwKzh62+biqNyKE2T6ifyeDCEtRrrBaTRJz76To3/SlcZ2Lu0CCBHE9n5Bk1zb' +
    'IsClPBY1Q3ytV2L9F9ZFLeMz4W6tJEjHKSJQ0+OLnanZaeAasG7dv+ZOGI+lwDYTl2b++KGwuveW9aO/xcUp9GS13ClVznIT' +
    'wrWqR+vVh61NnNngMgxezBXjMC66ry990/F4Jr8s1nD5BvridvRq8fAGGKyO3XZd2DI6ISahAQKBgQD158PcMvlQj+QOFmj/' +
    'k0gZUnrqKqdgwd885FnU1ttMtHbyi4MjOWxZ4gqOgs2D+heB6v7w+LnaT7c5pi8HrFgaWy5uS2ZWxLPSC9QvYDTJUH86U7+K' +
    'dHAkxgLTNT2IsDZKBeVC1Nvh93Se0SP+vGYZqdXFFZzYN1ckUVQkoFnLgQKBgQDanvwB/4BZakkLD1/vQnDDDBscZq9i5QVc' +
    'r4GAakBG+Fc5NKBa17VWU8EBzORZ5e1wzq42KXmlDoRTCAuW3dREZc9aVW/oyd+Um4Y11UcgMG6nOzMVMHb+cVvestgWT4Yf' +
    '5mIZa7rN7PeBUN4qYseJN7LKx4b6a2aW0Yobfr0igQKBgDl6tk6HX72UFNOyK1LqQ2Uf4XlRBRTZ3GuoWNMmcdZpLJCfScT3' +
    'DDuqWZtcOdvKnqoQmw0Kpq7ACW0hSkb54xIuFBlV6JMJoZrMhwmX7F7OQR8KKnCbrQb7ffeOr1Z/EgGVhTRs+wTDye/BpS9L' +
    'LHZ9O2m5FpN3xBfKJuf0z2iBAoGAI7oTiOgOO46I/Uu368u5zcYusAd/5fNzWuA7k5bJhk+TQX/+LJpPwhnR0s9/CcnvcZ31' +
    'DljczkJ/EWqhKjh6NetFZYfM0Agdh5Wa6zU9eF8x1hZwlKfk6lPwJYaolYzNaG0n3uuiDYEKOZHTnK2j2iLGDyloP4hJrZ/0' +
    'p+WgVwECgYBE66H6caxHJVpklqgJ8phvGFdbzHPau29KzHAL4irokwLnGdxHg9Zj7ZmHAMpmVC9Z2ibdEoRFK9ktZaShwKr9' +
    'pxqlfZsvYeiI0HRGMKbQ3pyjUJxm+O6d3k4Se67JjG1AfHaWIstLjx10wihTyT2Wo5vM/2sNwh1/tF3wENmQKw==',
];

/** One of the three keys. */
export function rsaKey(index: 0 | 1 | 2 = 0): KeyObject {
  return createPrivateKey({ key: Buffer.from(pkcs8[index] ?? '', 'base64'), format: 'der', type: 'pkcs8' });
}
