"""The formats of secrets that are told by their looks: what they begin with, and how long they are at least.

Data alone, without an import, since the hook program carries it. Sources: each provider's documentation of its tokens,
and the public rules of detect-secrets and gitleaks, whose formats (not code) were compared.
"""

from __future__ import annotations

HEX_32 = r"[0-9a-fA-F]{32}(?:-\d)?"

PREFIXED: tuple[tuple[str, str, int, str], ...] = (
    # sort, prefixes, characters that follow at least, and their shape where the prefix alone says too little
    ("AWS access key", "AKIA ASIA ABIA ACCA", 16, r"[A-Z0-9]{16}"),
    ("Alibaba access key", "LTAI", 12, r"[A-Za-z0-9]{12,30}"),
    ("Tencent access key", "AKID", 32, r"[A-Za-z0-9]{32,36}"),
    ("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", 30, ""),
    ("GitLab token", "glpat- gldt- glft- glsoat- glrt- glcbt- glptt- glagent- glimt- gloas- glffct-", 18, ""),
    ("Slack token", "xoxb- xoxp- xoxa- xoxo- xoxs- xoxr- xoxd- xoxc- xoxe- xoxe.xox xapp-", 12, ""),
    ("Stripe key", "sk_live_ rk_live_ sk_test_ rk_test_ whsec_ sk_org_", 16, ""),
    ("Anthropic key", "sk-ant-", 16, ""),
    ("OpenAI key", "sk-proj- sk-svcacct- sk-admin- sess-", 20, "mixed"),
    ("API key", "sk-", 16, "long"),
    ("Google API key", "AIza", 30, ""),
    ("Google OAuth token", "ya29. 1//0", 20, ""),
    ("Google client secret", "GOCSPX-", 20, ""),
    ("npm token", "npm_", 30, r"[A-Za-z0-9]+"),
    ("PyPI token", "pypi-", 40, ""),
    ("Docker token", "dckr_pat_ dckr_oat_", 20, ""),
    ("Hugging Face token", "hf_ api_org_", 28, r"[A-Za-z0-9]+"),
    ("SendGrid key", "SG.", 40, r"[\w-]{16,32}\.[\w-]{16,64}"),
    ("Twilio key", "SK", 32, r"[0-9a-f]{32}"),
    ("Mailgun key", "key- pubkey-", 32, r"[0-9a-zA-Z]{32}"),
    ("Mailchimp key", "md-", 22, r"[A-Za-z0-9_-]{22}"),
    ("Brevo key", "xkeysib- xsmtpsib-", 40, ""),
    ("DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", 40, ""),
    ("Heroku key", "HRKU-", 30, ""),
    ("Databricks token", "dapi", 32, HEX_32),
    ("Shopify token", "shpat_ shpca_ shppa_ shpss_", 24, ""),
    ("Square token", "sq0atp- sq0csp- EAAA", 20, "random"),
    ("Linear key", "lin_api_ lin_oauth_", 24, ""),
    ("Atlassian token", "ATATT3 ATCTT3 ATBB", 24, "mixed"),
    ("Vault token", "hvs. hvb. hvr.", 20, ""),
    ("age key", "AGE-SECRET-KEY-1", 40, ""),
    ("Notion token", "ntn_ secret_", 40, "mixed"),
    ("Figma token", "figd_", 30, ""),
    ("New Relic key", "NRAK- NRII-", 18, ""),
    ("Grafana token", "glsa_ glc_", 28, ""),
    ("Sentry token", "sntrys_ sntryu_", 30, ""),
    ("Doppler token", "dp.pt. dp.st. dp.ct. dp.sa.", 30, ""),
    ("Pulumi token", "pul-", 40, r"[0-9a-f]{40}"),
    ("RubyGems key", "rubygems_", 40, ""),
    ("Supabase key", "sbp_ sb_secret_", 20, ""),
    ("Groq key", "gsk_", 40, ""),
    ("xAI key", "xai-", 40, "mixed"),
    ("Perplexity key", "pplx-", 32, ""),
    ("Replicate token", "r8_", 32, "mixed"),
    ("Tailscale key", "tskey-", 20, "mixed"),
    ("Postman key", "PMAK-", 40, ""),
    ("Dropbox token", "sl.", 60, "random"),
    ("PlanetScale token", "pscale_tkn_ pscale_pw_ pscale_oauth_", 28, ""),
    ("Fly token", "fo1_ fm1r_ fm2_", 30, "mixed"),
    ("Netlify token", "nfp_", 30, "mixed"),
    ("CircleCI token", "CCIPAT_ CCIPRJ_", 30, ""),
    ("Contentful token", "CFPAT-", 30, ""),
    ("1Password token", "ops_ey", 60, ""),
    ("PostHog key", "phx_ phs_", 30, "mixed"),
    ("Airtable token", "pat", 70, r"[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    ("Discord token", "MT MD Mj Mz ND NT Nj Nz OD OT", 50, r"[\w-]{20,26}\.[\w-]{6}\.[\w-]{25,45}"),
    ("JSON web token", "eyJ", 30, r"[\w-]{10,}\.[\w-]{4,}(?:\.[\w-]*){0,3}"),
)
"""What follows is of letters, digits, `_` and `-`, joined by dots. `mixed`: among them letters and digits; `random`:
not made of words; `long`: a part of twelve and more has letters and digits."""

SHAPED: dict[str, tuple[tuple[str, int, str], ...]] = {
    # what always stands in it: the sort, how far before that the pattern begins, the pattern, whose group is the secret
    "://": (
        ("Slack webhook", 0, r"://hooks\.slack\.com/(?:services|workflows|triggers)/([\w/-]{20,})"),
        ("Discord webhook", 0, r"://[\w.]*discord(?:app)?\.com/api/(?:v\d+/)?webhooks/(\d+/[\w-]{40,})"),
        ("Teams webhook", 0, r"://[\w.-]+/webhookb2/([\w@/-]{40,})"),
        ("password in a URL", 0, r"://[^\s/:@\"'`<>()\[\]]*:([^\s/\"'`<>\[\]]+)@(?=[\w\[])"),
        ("token in a URL", 0, r"://([\w-]{20,})@(?=[\w\[])"),
    ),
    ":AA": (("Telegram token", 0, r"(?<=\d{8}):(AA[\w-]{32,36})(?![\w-])"),),
    "Key=": (("Azure key", 12, r"\w*(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{30,}={0,2})"),),
    "sig=": (("Azure signature", 1, r"[?&;]sig=([A-Za-z0-9%+/_-]{20,}={0,2})"),),
    "8Q~": (("Azure secret", 3, r"(\w{3}8Q~[\w.~-]{31,34})(?![\w~-])"),),
    ".atlasv1.": (("Terraform token", 14, r"([A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70})"),),
    "AC": (("Twilio token", 0, r"AC[0-9a-f]{32}[\s:,;\"']{1,4}([0-9a-f]{32})(?!\w)"),),
    "AKCp": (("Artifactory token", 0, r"(AKCp[A-Za-z0-9]{50,})"),),
    "curl ": (("password", 0, r"curl [^\n]{0,400}?(?:-u|--user)[ =]?[\"']?[^\s:\"']+:([^\s\"']+)"),),
    "docker login": (("password", 0, r"docker login[^\n]{0,200}?\s(?:-p|--password)[ =]([^\s\"']+)"),),
    "sshpass ": (("password", 0, r"sshpass\s+-p\s*[\"']?([^\s\"']+)"),),
    "mysql": (("password", 0, r"mysql\w*\b[^\n]{0,200}?\s-p([^\s\"'`-][^\s\"'`]{3,})"),),
    "redis-cli ": (("password", 0, r"redis-cli [^\n]{0,200}?-a\s+[\"']?([^\s\"']+)"),),
    "login ": (("password", 0, r"login\s+[^\s/]+\s+password\s+(\S*\d\S*)"),),
}
