"""English words that tell an order from an account by how it begins."""

from __future__ import annotations

import re


def words_in(text: str) -> frozenset[str]:
    """Return the words of a list."""
    return frozenset(re.findall(r"\S+", text))


VERBS = words_in(
    """abandon abort absorb accept access acknowledge acquire act adapt add address adjust admit adopt advance
    advertise agree aim alert alias align allocate allow allowlist alter amend analyse analyze anchor annotate
    announce answer anticipate append apply approve archive arm arrange ask assemble assert assess assign assist
    assume attach audit authenticate authorise authorize automate await back backfill backport balance ban base
    batch be become begin benchmark bind bisect blend block book boot bound branch break bring broadcast buffer
    build bump bundle buy bypass cache calculate calibrate call canary cancel cap capture carry cascade cast catch
    centralise centralize challenge change charge check choose chunk cite claim clamp classify clean clear clip
    clone close coalesce codify collect combine come commit compact compare compensate compile complete comply
    compose compress compute concatenate concentrate condition configure confine confirm connect conserve consider
    consolidate constrain construct consult consume contain containerise containerize continue contrast control
    convert convey coordinate copy correct correlate count couple cover create cross cultivate cut cycle dampen
    debounce debug decide declare decline decode decommission decouple decrease decrypt dedicate dedupe deduplicate
    default defend defer define degrade delay delegate delete delimit deliver demand denormalise denormalize deny
    denylist depend deploy deprecate dequeue dereference derive describe deserialise deserialize design destroy
    detach detect determine develop diagnose diff differentiate digest disable disallow discard disclose disconnect
    discourage discover discuss disentangle dismiss dispatch display dispose distinguish distribute distrust divert
    divide do document double downgrade downscale draft drain draw drill drive drop dry dump duplicate ease edit
    eliminate embed emit employ empty emulate enable encapsulate encode encompass encourage encrypt end enforce
    engage enlist enqueue enrich ensure enter enumerate equip erase erect escalate escape establish estimate
    evaluate evict examine exclude execute exempt exercise exhaust exit expand expect expire explain explore export
    expose express extend externalise externalize extract fade fail favor favour feed fence fetch fill filter
    finalise finalize find finish fit fix flag flatten flip flush focus fold follow forbid force forget fork format
    forward free freeze fsync fulfil funnel fuzz gate gather generate get give globalise go grant group guarantee
    guard guess halt hand handle hard-code harden hash have head help hide hint hoist hold honor honour host hunt
    identify ignore illustrate imitate implement import impose improve include incorporate increase increment index
    indicate infer inform inherit initialise initialize inject inline insert insist inspect install instrument
    insulate integrate intercept interleave interpret interrupt intersperse introduce invalidate inventory invert
    investigate invite invoke isolate issue iterate jitter join judge juggle justify keep key kill know label land
    launch lay lazy-load lead leak lean learn lease leave lend lengthen let level leverage lift limit link lint list
    listen load localise localize locate lock lockstep log look loop lower maintain make manage map mark marshal
    mask match materialise materialize measure memoise memoize mention merge migrate mind minimise minimize mint
    mirror mitigate mix mock model modify monitor mount move multiply mutate mute name narrow navigate nest
    neutralise neutralize normalise normalize note notice notify nullify number observe obtain offer offload omit
    open operate opt optimise optimize order organise organize outline override oversee overwrite own pace package
    pad page paginate parallelise parallelize parameterise parameterize parse partition pass paste patch pause pay
    peg perform permit persist pick pickle pin pipe place plan play plug point poll pool populate post postpone
    practice practise pre-create pre-warm preallocate precede precompute predict prefer prefetch prefix preload
    prepare prepend preprocess present preserve press prevent print prioritise prioritize probe proceed process
    produce profile prohibit promise promote prompt proof propagate propose protect prototype prove provide
    provision proxy prune publish pull purge push put qualify quantify quarantine query question queue quiesce quit
    quote raise randomise randomize rate-limit reach react read realise realize reap reassign rebalance rebase
    reboot rebuild recalculate receive recheck reckon reclaim recognise recognize recommend recompute reconcile
    reconfigure reconnect reconsider record recover recreate recycle redact redeploy redirect redistribute reduce
    refactor refer reference refine refresh refuse regard regenerate register rehash rehearse reinitialise
    reinitialize reinstall reject relate relax release reload relocate rely remain remap remember remind remount
    remove rename render renegotiate renew reopen reorder repaint repair reparse repeat rephrase replace replay
    replicate reply report represent reprocess reproduce request require reread reroute rerun resample rescale
    rescan reseat reseed resend reserve reset resist resize resolve resort respect respond rest restart restore
    restrict resubmit resume resync retain retest rethink rethrow retire retrieve retry return retype reuse
    revalidate reverse revert review revise revisit revoke reword rewrite rid ring-fence roll rotate round route run
    sample sandbox sanitise sanitize satisfy save scale scan schedule scope score screen script scrub seal search
    secure seed seek segment select send separate sequence serialise serialize serve set settle sever shadow shape
    shard share shed shield shift ship shorten show shrink shuffle shut sidestep sign signal simplify simulate size
    skip slice slow smear smooth snap snapshot soak solve sort spare spawn specify speed spell spend split spread
    stabilise stabilize stage stagger stamp standardise standardize start stash state stay steer step stick stop
    store stream strengthen stress stretch strip strive structure stub study subclass submit subscribe substitute
    subsume subtract suffix suggest sunset supervise supply support suppress surround suspect suspend sustain
    swallow swap switch sync synchronise synchronize tabulate tackle tag take tally taper target teach tear tell
    template terminate test thin think throttle throw tidy tie tighten time toggle tolerate touch trace track trade
    train transcode transfer transform translate transmit transpose traverse treat triage trigger trim triple
    truncate trust try tune turn type unblock understand undo unescape unify uninstall unit-test unlink unlock
    unmount unpack unpin unplug unregister unroll unset unsubscribe unwind unwrap update upgrade upload upscale
    upsert use utilise utilize vacuum validate value vary verify vet visit vote wait wake walk want warm warn
    warrant watch weaken wean weigh welcome whitelist widen wipe withdraw withhold work wrap write yield zero
    zeroise zeroize"""
)
"""Verbs in their plain form, with which an instruction of our trade begins."""

NO_VERBS = words_in(
    """a about above across after afterwards again against all almost alone along already also although always among an
    and another any anybody anyone anything apart around as at bad because before behind below beneath beside
    besides best better between beyond big both but by clearly despite down due during each either else enough even
    ever every everybody everyone everything except few fewer first five for four from further good half hence her
    here him his how however if in indeed inside instead into it its itself last later least less like long many
    maybe me meanwhile more moreover most much my near neither never nevertheless new next nine no nobody none nor
    not nothing now of off often old on once one only onto or other others otherwise our out outside over overall
    own per perhaps probably quite rather same seldom several she short similar since six so some somebody someone
    something sometimes somewhere soon still such ten than that the their them then there therefore these they this
    those though three through throughout thus today together tomorrow too toward towards twice two under unless
    unlike until up upon us very we what whatever when whenever where whereas wherever whether which whichever while
    who whoever whom whose why with within without worse yes yesterday yet you your"""
)
"""Words before an article that order nothing."""

PASTS = words_in(
    """ate became began bent bit blew bore bought bound broke brought built came caught chose clung crept dealt did
    drank drew drove dug fell felt fled flew forgot fought found froze gave got grew had heard held hid kept knew
    laid led left lent lit lost made meant met paid ran rang rose said sang sank sat saw sent shook shone shot slept
    slid sold sought spent spoke spun stood stole struck stuck swept swore swung taught thought threw told took tore
    understood was went were woke won wore wrote"""
)
"""Irregular past forms: what begins with one tells what was done."""
