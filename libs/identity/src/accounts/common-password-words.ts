/** Words of common passwords: names, places and everyday words, compiled for Lensforge. */
export const commonPasswordWords = `
2pac 4me2know 50cent aaron abby abc abcd abcde abcdef abdullah aberdeen abigail absolut abuela abuelo access accord
account acdc acer achilles acid acmilan action active acura adam adams adelaide aditya admin administrator adrian
adriana adriano adrienne adventure adventures aerosmith africa african agassi agency agent ageofempires aggies
agnieszka aguilera ahmed ahmet aikido aikman airborne airbus aircraft airforce airjordan airplane airport aisha ajax
ajaxamsterdam akash akira alabama alan alaska albert alberta alberto albuquerque alegria alejandra alejandro aleksandr
aleksandra alessandra alessandro alessia alex alexa alexander alexandr alexandra alexandre alexandria alexandru alexey
alexis alfaromeo alfred alfredo algebra algeria ali alice aliceinchains alicia alien aliens alina alisha alison allah
allahuakbar allan allen alliance alligator allison almeida alone alpha altima alvarez alvin always alyssa amanda
amateur amazing amazon amber ambition amelia amelie amen america american americana amethyst amiga amigas amigo amigos
amistad amit ammo amor amorcito amore amoremio amormio amour amsterdam amy anaconda anais anakin anakku anarchist
anarchy anastasia anchor anderson andre andrea andreas andreea andrei andres andrew andrey android andromeda andy
angel angela angelbaby angeleyes angelface angelica angelina angelique angelita angelito angelo angels angie anil
animal animals anita anjali ankara ankit ann anna anne annie anonymous antelope anthony anthrax anthropic antoine
anton antoni antonia antonio anything apache apartment ape apes aphrodite apocalyptica apollo apple applejack
applejuice applepie apples applesauce april aquaman aquarius aragorn araujo arcade archery ares argentina ariana
arianna ariel arielle aries arizona arjun arkansas armadillo armando armor army arnold arod arsehole arsenal art
artemis arthas arthur artist artistic arts arturo asdf asdfg asdfgh asdfghj ashish ashlee ashleigh ashley ashton askim
aslan assassin assassins assassinscreed asses asshole assholes asteroid astonmartin astonvilla astros asus atari
athena athens athletics atlanta atlantis atletico attack attitude auckland audi audrey august augustine auntie aurora
aussie austin australia austria autumn avalanche avatar avenger avengers avenue avocado avril avrillavigne awesome
axel axl azerty azertyuiop babe babes baboon baby babyblue babyboy babycakes babydoll babyface babygirl babygirls
babylon babylove babyphat bacardi bach backpack backstreet backstreetboys backup bacon bad badass badboy badger
badgers badgirl badman badreligion baerchen bagel bagels baggio baghdad bahamas bailey balance baller ballerina ballet
ballin ballon balloon balls baltimore bambina bambino bamboo banana bananas band bandit bandits bangalore bangkok
bangladesh bank banker banner barackobama barbara barbecue barber barbie barbosa barbra barca barcelona bargain
barkley barnes barney barracuda barry bart bartman baseball baseballs basia basket basketbal basketball bass bassfish
bassman bassplayer bastard bastards bastian batgirl bathroom batman batmobile battle battlefield battleship bayern
bayernmunich bbq beach beachboys beachbum beaches beacon beagle beanbag beanie bear bearcat bearcats bears beast
beatles beatrice beatriz beautiful beauty beaver beavers beckham becky bedroom bee beef beer beer4me beerman beerme
beers beethoven beetle beetles beijing beirut belfast belgium belgrade believe believeinme believer bell bella
bellissima ben bender bendover benedict benfica bengals benjamin benji bennett benny benoit bentley benz beretta
berkeley berlin bermuda bernard bernardo bernie bertha besiktas best bestever bestfriend bestfriends bestone beta beth
bethany betty bettyboop beyonce bianca bible bicycle bieber bigbear bigben bigbird bigboobs bigboss bigboy bigbrother
bigbutt bigcat bigcock bigdaddy bigdick bigdog bigfish bigfoot biggest biggie bigguy bighead bigjohn biglove bigmac
bigmama bigman bigmike bigmoney bigpimp bigred bigsexy bigtime bigtits bigtruck bigwave bike biker bikers bikes bilbao
bilbo bill billiards billie billionaire bills billy billybob bingo biohazard biology bioshock bird birdie birdman
birds birmingham birthday biscuit biscuits bismillah bison bisous bitch bitches biteme black blackbelt blackberries
blackberry blackbird blackboy blackburn blackcat blackdog blackdragon blackhawk blackhawks blackheart blackhole
blackice blackie blackjack blackknight blacklabel blackmagic blackman blackmetal blackmoon blackout blackpanther
blackpool blackrose blacksabbath blackstar blackwhite blackwidow blackwolf blade bladerunner blades blake blanca blank
blanket blaster blazer blazers bleach blessed blessing blessings blindguardian bling blink blizzard block blonde
blondie blood bloodline bloodlust bloody blowjob blue bluebell blueberries blueberry bluebird bluedevils bluedog
bluedragon blueeyes bluefish blueice bluejays blueman bluemoon bluerose blues bluesky bluesman bluestar bluewater
blume blur bmw bmx boat boating boats bob bobafett bobbie bobby bobcat bobcats bobdylan bobmarley boca bocajuniors
boeing bogota bolivia bollocks bomb bomber bombers bon bonaparte bond007 bonds bong bonheur bonita bonjour bonjovi
bonneville bonnie bono boobear boobies booboobear boobs booger boogie boogieman book bookcase bookie books bookworm
boomer boomerang boost booster boot booty bootylicious borboleta bordeaux borg boris borussia boss boston bottle
bottles bottom boulevard bounce bouncer bowie bowler bowling bowser box boxer boxes boxing boy boyfriend boys brad
bradley brady brains brainstorm brandon brandy brasil brave braveheart braves bravo brazil bread breakdown breaker
breakers breeze bremen brenda brendan brent brett brewers brian brianna bricks bridge bright brighton brilliant
brisbane bristol britain british britney britneyspears broadway broccoli bronco broncos bronx bronze brooke brooklyn
brooks brother brothers brown brownie brownies browning browns browser bruce bruins bruno brussels brutus bryan bryant
bryce bsb bubba bubbagump bubble bubblegum bubbles buccaneers bucharest buckaroo bucket buckeye buckeyes bucs budapest
buddha buddy buddyboy budlight budweiser buffalo buffon bugatti bugger bugsbunny buick builder building bulbasaur
bulgaria bull bulldog bulldogs bulldozer bullet bullets bullfrog bulls bullseye bullshit bumblebee bumper bundle bunga
bunker bunnies bunny bunnyrabbit burger burgers burgundy burner burning burnout burrito burzum bus busdriver bush
bushido business businessman busted buster busters butter butterball buttercream buttercup butterfinger butterflies
butterfly butters buttfuck butthead button buttons buzz buzzard byron cabbage cachorro cadillac caesar cairo cake
cakes caleb calgary calico caliente california callofduty calvin calypso camaro camaross cambridge camel camelot
camels cameron camila camilla camille campbell camper campfire camping campus camry canada canadian canadiens cancer
candace candice candies candle candles candy candycane candygirl candyman canela canim cannabis cannon cannonball
canon cantremember canucks canyon capetown capital capitals capone cappuccino caprice capricorn capslock captain
captainamerica captainjack captainmorgan car caracas caramel cardiff cardinal cardinals career caribbean carl carla
carlito carlitos carlo carlos carlsberg carmel carmelo carmen carnage carnival carol carole carolina caroline carolyn
carpediem carpenter carpet carrie carrot carrots cars cartagena carter cartman cartoon cartoons carvalho casablanca
casey cash cashmoney casillas casino casper cassandra cassie castillo castle castro cat catalina catalyst catdog
caterpillar catfish catherine cathy catlover cats catwoman cavalier cavaliers cdtnkfyf cecilia cedric celebrate
celebrity celery celeste celestial celica celine celinedion cello cellphone celtic celticfc celtics centaur center
central century cerberus ceremony cesar chad chair challenger chameleon champ champagne champion champions chance
chances chandler change changeit changeme changemenow changes changethis chantal chaos character chardonnay charger
chargers charisma charizard charlene charles charlie charlotte charly charm charmed charming chat chatgpt chavez
cheater cheddar cheer cheerleader cheerleading cheers cheese cheeseburger cheesecake cheeses cheesy cheetah cheetos
chelsea chelseafc chemistry chennai cherish cherokee cherries cherry cherrypie cheryl chester cheval chevelle
chevrolet chevron chevy chewbacca cheyenne chianti chicago chick chicken chickenbutt chickens chickenwing chicks chico
chief chiefs chihuahua children chile chili chilipeppers chillin chillout chimp chimpanzee china chinese chinook
chipmunk chipper chippy chips chiquita chiquito chivas chloe chocobo chocolat chocolate chocolates choice chopin
chopper chris christ christian christiane christie christina christine christmas christopher christy chrome chronic
chrysler chubby chuck chucky church churchill ciao ciaobella cigar cigarette cigars cincinnati cinderella cindy cinema
cinnamon cinta circle circus citizen citroen city civic civilization cjkysirj claire clara clarence clarinet clarissa
clash classic classical classics classroom claude claudia claudine claudio claymore clayton cleaner clemens clement
cleopatra cleveland clever click client clifford climber climbing clint clinton clippers clock clockwork cloud clouds
cloudstrife clover clown clowns clueless cobain cobra cobras cocacola cocaine cock cocks cocksucker cocktail cocoa
coconut coconuts code coder codes coding cody coffee coffeecup cognac coke cola coldplay coleman colin colleen college
collie colombia colonel color colorado colorful colors colt45 colts columbia columbus comedian comedy comet commander
commando commandos commodore common community company compaq compass compound computer computers concept concert
concorde concrete condor config confused confusion connect connecticut connection connie connor conquer conqueror
conrad console constance constant constantine construction contact contract contrasena contraseña control convertible
cook cookie cookiemonster cookies cooking cool coolboy coolcat cooldude coolgirl coolguy coolio coolman coolness
cooper coors coorslight cop copenhagen copper corazon corazones corey corinne corinthians cork corleone cornbread
cornflakes cornhuskers cornwall corolla corona correcthorsebatterystaple corvette cosmic cosmos costa costume cottage
cotton cougar cougars counter counterstrike country countryboy countrygirl courage courtney cousin cow cowboy
cowboybebop cowboys cowgirl cowgirls cox coyote coyotes crab crabs crack cracker crackers cradleoffilth craft craig
cranberry crap crazy crazybitch crazyfrog crazygirl crazyman create creation creative creator creature creed creepy
cricket criminal crimson crimsontide cristian cristiano cristina critical croatia crocodile crosby crow crown cruise
cruiser crunch crusader crusher cruz cruzazul cruzeiro crystal crystalball crystals cska cthutq cuba cubano cubs
cubswin cucciolo cucumber cunt cuore cupcake cupcakes cupid curious current curtis custom customer customs cutegirl
cutie cutiepie cutlass cutter cyber cyborg cycling cyclist cyclone cyclops cynthia cyril czech dachshund daddy daffy
daftpunk dagger daily daisy daisydog daisymae dakota dale dali dallas dalmatian damascus damian damien damn damnit
damon dan dana dance dancer dancers dancing dandelion danger dangerous daniel daniela daniele daniella danielle danny
daphne daredevil darius dark darkangel darker darkknight darklord darkman darkmoon darkness darkone darkside darkstar
darkwolf darlene darling darren darryl darthvader darts darwin dasha data database daughter dave davey david
davidbeckham davidbowie davide davidson davinci dawn daylight daytime daytona dead deadhead deadly deadman deadpool
dealer dean death deathmetal deathnote deathstar debbie deborah debra debug december decker deepak deepblue deeper
deeppurple deepsea deer deerhunter default defender defense defiant defleppard deftones delaware delhi delicious
delight delightful delivery dell delpiero delta delux deluxe demo democrat demolition demon demons denali denis denise
denmark dennis dentist denver depeche depechemode deputy derek derrick desert designer designs desire desiree desktop
destiny destroy destroyer destruction detective detroit deutschland devastation develop developer device devil devils
devops dhaka diablo diamond diamondback diamonds diana diane diary diaz dick dickhead dicks die diego diehard diesel
dieselpower dieter different digimon digital dimension dimitri dimmuborgir dinamo dinner dinosaur dinosaurs dios
dioses diosesamor diosito diosteama diplomat direct direction director disaster disciple disco discord discount
discover discovery discus disney disneyland distance disturbed diva divine divya dixie dkflbvbh dmitri dmitriy docker
doctor doctors dodge dodgeram dodgers dog dogbert dogboy dogcat dogfood doggie doggies doggy doghouse doglover dogman
dogmeat dogpound dogs dogwood dollar dollars dollface dolores dolphin dolphins domain domenico dominator dominguez
dominic dominican dominik dominique domino dominoes donald donaldduck donaldtrump donkey donkeykong donna donotuse
donovan dontforget dontforgetme donttell donttellanyone donut donuts doodle doodlebug doodles doom door doorbell
doorman doors dope dopeman dora doris doritos dorota dorothy dortmund dostoevsky dotcom double doubled doug doughboy
douglas dove doves download dragon dragonball dragonballz dragonfire dragonfly dragonforce dragons dragoon dragster
drdre dre dream dreamcast dreamcatcher dreamer dreamers dreaming dreamland dreams dreamteam dreamweaver drew drifter
driftwood drinker drinks dripping drive driver drogba drpepper drum drumline drummer drums drunk drunken dubai dublin
dubstep ducati duchess duck duckie duckling ducks ducky dude dudley duke dumbass dumbledore dumbo dummy duncan dundee
dupa durango durban dustin dutch dutchess dwayne dwight dylan dynamic dynamite dynamo dynasty eagle eagles earl
earnhardt earth earthquake east eastcoast easter easteregg eastern eastside eastwood easy easygoing eatme eatpussy
eatshit ebony echelon echo eclipse economics ecstasy ecuador eddie eddy edgar edinburgh edison edith edmonton edmund
eduardo education edward edwards edwin eevee eeyore effect egypt eileen einstein elaine eleanor electra electric
electrical electro electron electronic electronics element elements elena eleonora elephant elephants elevator elf eli
elias elijah elisa elisabeth elise elite elixir eliza elizabeth elk ella ellen elliot elliott elsa elves elvira elvis
elvispresley elway email emanuel emanuela embrace emerald emilia emilie emilio emily eminem emma emmanuel emmanuelle
emmitt emotion emperor empire empress emre endeavour endless enemy energy enforcer engage engel engine engineer
engineering england english enigma enjoy enough enter enterprise entertain entry environment epsilon erasure eric
erica erik erika erin ernest ernesto erotic erotica error escalade escape escort espana esperanza espresso essence
esteban estelle esther estrela estrella estrellita eteamo eternal eternity ethan ethernet ethiopia etoile eugene
eugenia euro eutamo euteamo eva evan evanescence evangelion evans evelyn evening everest evergreen everlast
everlasting everton everyday everything evil evilone evolution ewelina ewing example excalibur excellent exchange
excite exciting executive exile exodus exotic expedition experience expert explode explorer explosion explosive expos
express external extreme eyeball fabian fabien fabio fabiola fabrice fabrizio fabulous face facebook factory fairies
fairlane fairy fairytale faith faithful falcon falcons fall fallen fallenangel falling fallout falloutboy famiglia
familia families famille family familyfirst familyguy famous fanatic fancy fanta fantastic fantasy farfalla farmboy
farmer farming farside fashion fast fastcar faster fatality fatass fatboy fatboyslim fatcat fate father fatih fatima
fatma fatman favre fearless feather feathers february federer felicia felicidad felicidade felicity felipe felix
fellow female fender fenerbahce fernanda fernandez fernando ferrari ferreira ferret feyenoord fiat fiddle fidelity
fido fields fiesta fiftycent fighter fighters fighting figure file files filipino filter filthy final finalfantasy
finally finance finger fingers finish finland finnish fiona fiorentina fire fireball firebird firefighter firefly
firefox fireman firenze firestarter firestone firestorm firetruck firewall fireworks fireworm firmware first fish
fishbone fisher fisherman fishes fishhead fishing fishtank fishy fktrcfylh flame flamengo flames flamingo flash flashy
flexible flight flintstone flipflop flipper floater floppy flora florence flores florian florida flower flowerchild
flowerpower flowers floyd flubber fluffy flute fly flyer flyers flying focus follow follower food foofighters foolish
foolproof footbal football footballer footprint ford fordf150 fordfocus fordtruck foreman forest forever
foreverandever foreverlove foreverme foreveryoung forget forgetit forgetme forgetmenot forgiven forgiveness forgotten
format formula fortnite fortress fortune fortyniners forum forward fossil foster fosters foundation fountain fourteen
fox foxes foxfire foxtrot foxy foxylady france frances francesca francesco francis francisco franco francois francoise
frank frankfurt frankie franklin fraser fratello freak freaks freaky freakyfriday fred freddie freddy frederic
frederick frederik free freebird freedom freefall freeman freeme freepass freestyle freeuser freeway freezer french
fresh freshman freya friday friend friendly friends friendship frisky frodo frog froggie froggy frogs fromage frontier
frosty frozen fruehling fruit fruitcake fruits fruity fuck fucker fuckers fuckface fuckhead fucking fuckit fuckme
fuckoff fuckthis fucku fuckyou fuckyouall fugitive fullback fullmoon function funky funkymonkey funny funnyman funtime
furious fusion fussball futbol futebol futurama future fylhtq gabriel gabriela gabriele gabriella gabrielle gadget
galant galatasaray galaxies galaxy galileo gallery galway gambit gambler game gameboy gamecube gamemaster gameon
gameover gamer gamers games gaming gamma gandalf ganesh gangbang gangsta gangstar gangster gangsters ganja garage
garbage garcia garden gardener gardens garfield gargoyle garlic garnett gary gasman gasoline gateway gatita gatito
gator gatorade gators gattino gaurav gavin gazelle gecko geforce geheim gemini gemma general generals generation
generic genesis geneva genevieve genius gentle gentleman geography geometry george georges georgia georgie georgina
gerald geraldine gerard gerardo german germany gerrard gerry getaway getlost getmoney getout getsome gfhjkm ghana
ghbdtn ghetto ghost ghostrider ghosts gianluca gianni giant giants gibson gift gifted giggles gilbert gilberto gina
ginger giorgia giorgio giovanna giovanni giraffe girlfriend github giulia giuliano giuseppe giveme givemeabreak
glacier gladiator glamour glasgow glass glasses glitter global globe glock glock9mm gloria glory gnome goalie
goalkeeper goat goats goaway gobears goblin goblue gobucks gocubs god godawgs godbless goddess godfather godisgood
godislove godsmack godzilla gofish goforit gogo gogogo gohan goirish goku golakers gold golden goldeneye goldfish
goldie goldmember goldstar goldwing golf golfball golfer golfgti golfing golfnut gollum gomez gonzales gonzalez
gonzalo gonzo good goodboy goodbye goodcharlotte goodday goodgirl goodgod goodies goodlife goodluck goodmorning
goodness goodnight goodtime goodtimes goofy google goose gophers gordon gordonfreeman gorgeous gorilla gorillaz gosia
gospel gotcha gothic gotmilk govols grace graceful gracie graduate graffiti graham grammar grandam grandfather grandma
grandmother grandpa grandprix grandtheftauto granite grant grape grapefruit grapes graphic graphics grasshopper
grateful gratitude gravity gray great greatbritain greatest greatness greatone greece greed greek green greenapple
greenbay greenbean greenday greeneyes greengrass greenhouse greenlantern greenman greentea greentree greg gregorio
gregory gremio grenade gretchen gretzky grey greyhound griffey griffin griffith grinch grizzlies grizzly groove groovy
ground grounds group growler grumpy grunge gryffindor gta guadalupe guardian guardianangel guessit guessme guesswhat
guest guillaume guillermo guinea guinevere guinness guitar guitarist guitarman guitars gumball gumby gummy gummybear
gummybears gun gundam gunit gunner gunners guns gunsandroses gunslinger gunsmoke gunsnroses gunther guru gustavo
gutierrez guy gymnast gymnastics gypsy hack hacked hacker hackers hacking hacktheplanet hades haeschen hahaha hailey
haiti hakunamatata haley halflife halifax hallelujah hallo halloween halo ham hamburg hamburger hammer hammerfall
hammerhead hammers hamster handball handjob handsome handyman hangman hanna hannah hannahmontana hannibal hanoi hans
hansolo happiness happy happybirthday happyday happydays happyfeet happygirl harbor hardball hardcore hardrock
hardstyle hardware hardwood harlem harley harleydavidson harleys harmonica harmony harold harrison harry harrypotter
harvard harvest harvey hase hash hashish haslo hassan havana havefun havoc hawaii hawaiian hawk hawkeye hawkeyes hawks
hawkwind headache header heart heartbeat heartbreak heartbreaker heartless hearts heat heather heaven heavenly heavy
heavymetal hector hedgehog heidi heineken heinrich hejka helen helena helene helicopter helios hell hellboy hellfire
hello helloall hellokitty hellome helloworld hellraiser hellyeah helmut help helpdesk helpme helsinki hemingway
henderson hendrix henrik henrique henry herbert herbst hercules heritage herkules herman hermana hermano hermes
hermione hermosa hermoso hernan hernandez hero heroes heroin heslo hewlett heyheyhey heythere hidden highland
highlander highlife highschool highschoolmusical highway hija hijo hiker hiking hilary hillary hillbilly hiphop hippie
hippo hippos history hitler hitman hobbes hobbit hockey hockeyman hog hogs hogwarts hola holiday holidays holiness
holland hollister holly hollywood holmes holy holyshit holyspirit home homebase homeboy homegirl homeless homepage
homer homersimpson homerun homes homework homicide honda hondacivic honduras honesty honey honeybear honeybee
honeybunny honeymoon hongkong honor hooker hooligan hooper hoosiers hooters hope hopeful hopeless horizon hornet
hornets horny horoscope horror horse horseman horses horsey host hosting hotboy hotdog hotdogs hotel hotelcalifornia
hotgirl hotmail hotness hotpink hotrod hotshot hotspur hotstuff hottie hound hounddog house household houses houston
howard howdy hubba hubert hughes hugo hugs hugsandkisses hulk hulkster human hummer hummingbird hund hungary hungry
hunter hunters hunting hurley hurricane hurricanes husband huskers husky hussain hussein hustle hustler hybrid
hyderabad hydro hyena hyper hyundai iamcool iamgod iamlegend iamtheman iamtheone ian ibanez ibrahim ibrahimovic ice
iceberg icebox icecold icecream icecube icehockey icehouse iceland iceman ichigo ichliebedich idaho ideal identity
idontcare idontknow idontremember idunno iforgetit iforgot iforgotit ignacio ignition igor iguana ihateme ihateu
ihateyou ilaria illidan illinois illmatic illusion ilovecats ilovedad ilovedogs ilovegod iloveher ilovehim iloveit
ilovejesus iloveme ilovemom ilovemum ilovemusic ilovemymom ilovemyself ilovesex iloveu iloveyou iloveyouall
iloveyoubaby iloveyousomuch iloveyoutoo iluvme iluvu iluvyou image imagination imagine imissyou immortal immortals
impact impala imperial impossible impreza impulse incognito incredible incubus indah independent india indian indiana
indianapolis indians indigo individual indonesia industry ineedyou infamous infantry inferno infinite infiniti
infinity inflames information ingrid iniesta injection innocent innovation insane insanity insert inside insight
insomnia inspector inspiration inspire instagram install instant integra integrity intel intelligent intense inter
interest interface interior intermilan international internazionale internet interview intranet intrepid intruder
inuyasha invader invalid invincible invisible iowa ipad iphone ireland irene irina iris irish irishman iron ironhorse
ironmaiden ironman isaac isabel isabela isabella isabelle isaiah island islands israel istanbul itachi italia italian
italy itsasecret itsme itsmylife ivan ivana ivanov iverson iwantu iwantyou jack jackal jackass jackdaniel jackdaniels
jacket jackie jackpot jackson jacksonville jacksparrow jacob jacqueline jacques jade jagermeister jaguar jaguars jaime
jakarta jake jalapeno jamaica jamaican jamal james jamesbond jamie jammer jamming jan jane janet janice janine janis
january japan japanese jared jasmin jasmine jason jasper java javascript javier jawbreaker jayden jayhawks jayson jayz
jazz jazzman jazzy jean jeanette jeanne jedi jedimaster jeep jeff jefferson jeffgordon jeffrey jellybean jellybeans
jellyfish jellyroll jen jenkins jenna jennifer jenny jens jeremiah jeremy jerk jerome jerry jersey jerseycity
jerusalem jess jesse jessica jessie jester jesucristo jesus jesuschrist jesusislord jesuslovesme jesussaves jesusteama
jet jetaime jetaimes jeter jethro jetlag jets jetski jetta jigsaw jill jim jimbo jimenez jimihendrix jimmie
jimmorrison jimmy jimmypage jingle jingles jlo joan joana joanna joanne joaquin jocelyn jockey jodie joe joel joey
johan johann johanna johannes johannesburg john johncena johndeere johndoe johnlennon johnniewalker johnny johnnycash
johnsmith johnson joker jokers jon jonas jonasbrothers jonathan jonathon joomla joplin jordan jordana jordi jorge jose
josef josefina joseph josephine josh joshua journal journey journeyman jovi joyce joyful juan juancarlos juanita
juanjose judaspriest judge judgement judith judo judy juggalo juggernaut juice juicy julia julian juliana juliane
julianna julie julien juliet juliette julio julius july jumanji jumbo jumper jumpman jumpstart june jungle junior
junkie junkmail jupiter jurassic jurassicpark jurgen justdoit justforfun justforme justforyou justice justiceleague
justin justina justinbieber justine justme justus justyna juventus k.,jdm kahuna kaiser kaitlyn kaka kakashi
kaleidoscope kamikaze kamil kamila kangaroo kansas kansascity kanye kanyewest kara karachi karaoke karate karen karin
karina karl karla karma karol karolina kasia kasih kasper katana katarzyna kate katerina katharina katherine kathleen
kathryn kathy katie katja katrin katrina katya katyperry katze kawasaki kay kayla keith kellie kelly kelsey ken kendra
kennedy kennel kenneth kennwort kenny kenobi kentucky kenya kermit kernel kev kevin kewl keyboard keystone khalid
kickass kickback kickboxing kicker kiddo kids kiev killa killbill killer killerbee killers killjoy killme killyou
killzone kilroy kim kimberley kimberly king kingdom kingdomhearts kingfish kingfisher kingkong kingpin kings kingsley
kingston kinky kirby kirill kirk kirsten kiss kisses kissing kissme kissmyass kitchen kitkat kitten kittens kittie
kitty kittycat kittycats kittykat kiwi klaus klingon kneecap knicks knight knighthood knights knockout knowledge koala
kobe kobebryant kocham kochamcie kochanie kolkata konami konstantin kool korea korean korn krakow krishna krista
kristall kristen kristian kristin kristina kristine kristy krypto krypton kryptonite ktyjxrf kubernetes kumar kungfu
kurt kurtcobain kurwa kurwamac kush kyiv kyle kylie kyoto labatt labrador lacrosse ladder ladies lady ladybird ladybug
ladygaga lagos lagrange lahore lake lakers lakeside lakshmi lalakers lalala lamb lambchop lambo lamborghini lampard
lancashire lance lancelot lancer lancia landmark landrover language lantern lapin laptop laracroft larissa larry lars
lasagna laser laserjet lassie last lasttime lasvegas latin latina latino latte laugh laughing laughter launch laundry
laura laurel lauren laurence laurent laurie lavender lavigne lawless lawnmower lawrence lawyer lazio leader leaders
leagueoflegends leah leather lebron lebronjames ledzeppelin lee leeds leedsunited legacy legend legendary legends
legion legolas leia leicester leigh leila leisure lemieux lemon lemonade lemons lena lenin lennon lenovo lens lenser
lensforge leo leon leonard leonardo leonie leonor leopard leprechaun leroy lesbian leslie lespaul lester letitbe
letmein letmeinnow letmeinplease letmepass letsgo letsplay letter letters lettuce leviathan lewis lexmark lexus liam
liberal libertad liberty libra library liebe lifeboat lifeguard lifeisgood lifeless lifestyle lifetime light lighter
lighthouse lightning lightsaber liliana lillian lilly lilman lilwayne lily lima lime limerick limited limitless
limpbizkit lincoln linda lindsay lindsey link linkedin linkin linkinpark linux lion lionel lionelmessi lionheart
lionking lions liquid lisa lisamarie lisboa listen literacy literature littlebit littleboy littledog littlegirl
littleman littleone littlestar live liveforever liveitup livelife liverpool liverpoolfc livestrong livia living liz
lizard lizards lizzie lizzy ljhjuf lobster local localhost lock locked locksmith locomotive logan logical login
logitech logon logout lois loki lola lollipop lollypop london londoner lonely lonestar lonewolf long longboard longbow
longdick longhair longhorn longhorns longlife longshot lookatme looking lookout lopez lordoftherings lorena lorenzo
lori lorraine losangeles losenord loser losers lost lostlove lostsoul lottery lotus loud louder louis louisa louise
louisiana louisville love loveable lovebird lovebirds lovebug lovechild lovehate lovehurts loveless lovelife lovely
lovelyday lovemaker loveme lover loverboy lovergirl lovers lovesong lovestory loveyou lsd lubov lucas lucia luciana
luciano lucie lucifer lucille lucinda luckie lucky luckycharm luckyday luckydog luckyme luckyone luckystar lucy
ludacris luffy luigi luis luisa lukas lukasz luke lukeskywalker lullaby lumber lumberjack lunatic lunchbox lust luther
lydia lynn lynne lynx lynyrd lyon lyublyu lyubov macaroni macbook machine machinehead maciej maciek macintosh
mackenzie mad maddog madeleine madeline madison madman madness madonna madrid maestro mafia mafioso magazine magda
magdalena magenta magento maggie magic magical magician magicjohn magicjohnson magicman magnet magnetic magneto
magnificent magnolia magnum mahalkita mahalko mahesh maiden mail mailman maincoon maine mainframe maintenance maison
majestic majesty major makaveli maker makeup maksim malaysia maldini malgorzata mama mamamia mamapapa mamba mambo
mamma mammal mammoth manage manager manchester manchesterunited mancity mandarin mandrake mango mangoes manhattan
maniac manifest manifesto manila manish mankind manning manoj manowar mansion manson mantis mantle manu manuel
manunited manutd mapleleafs maradona marathon marble marbles marc marcel marcela marcello marcelo march marcia marcin
marco marcopolo marcos marcus margaret margarida margarita margaux marge margot maria mariachi mariah mariahcarey
mariana marianne mariano marie marigold marijuana marilyn marilynmanson marina marine mariner mariners marines marino
mario marion mariposa mariposas marisa marisol marissa maritime marjorie mark market marketing marlboro marlborolight
marlene marley marlin marlins maroon marriage married mars marseille marshall marshmallow marshmellow marsupial marta
martha martin martina martine martinez martini martins marty marvel marvelous marvin mary maryland mascara maserati
masha massachusetts massacre massage massive master masterbate masterchief masterkey mastermind masterpiece masters
mastiff matador matchbox material mateusz math mathematics maths matilda matrix matt matthew mattie maus mausebaer
mausi maverick mavericks max maxim maxima maxime maximilian maximum maximus maxwell may maya mayhem mazda mccartney
mcgrady mcgwire meadow meandyou meatball meatloaf mechanic mechanical medallion medellin medical medicine medieval
medusa megadeth megaman megan megapass megatron meghan mehmet meister melanie melbourne melinda melissa mellow melody
melon melvin memorex memorial memories memory memphis mendoza meow mephisto mercedes mercedesbenz mercury mercy
meredith merlin merlot mermaid merrychristmas message messenger messi messiah metadata metal metalgear metalhead
metalica metallic metallica meteor metroid metropolis mets mewtwo mexico mia miami miamor miata mice michael michaela
michaeljackson michaeljordan michal micheal michel michelangelo michele michelle michelob michigan mickey mickeymouse
microlab micron microphone microscope microsoft microwave midday midget midnight midway midwest mifamilia mighty
mightymouse miguel miguelangel mikael mike mikey mikhail milan milano mildred miles miley mileycyrus military milk
milkman milkshake milky milkyway millenium millennium miller millertime million millionaire milton milwaukee mindless
mindy minecraft minicooper minimum minister minneapolis minnesota minnie minniemouse minotaur minute miracle miracles
miranda mireille miriam mirror mischief misfit misfits misha misiaczek misiek missile mission mississippi missouri
missy mister mistress mitchell mitsubishi mizzou mobile moby mocha modem mohamed mohammad mohammed mohan mohawk moira
mojo mole molly molson moment mommy momo monamour monarch monday money moneymaker moneyman monica monika monique
monitor monkees monkey monkeyboy monkeybutt monkeyman monkeys monopoly monsoon monster monsters monstertruck montana
montecarlo montreal monument moocow moon moonbeam moonchild moondog moonlight moonshine moonstar moose morales mordor
moreno morgan morning morocco morpheus morphine morris morrison morrowind mortal mortalkombat mortgage moscow moses
moskva mosquito motdepasse motel mother motherfucker motion motivation motley motleycrue motocross motorbike
motorcycle motorcycles motorhead motorola mountain mountaindew mountains mouse mousepad mouses moveon movie movies
mozart mozzarella muenchen muffin muffins muhammad mulder mumbai mummy munchen munchkin munich murat murder muriel
murphy murray muscle muscles muse museum mushroom mushrooms music musica musical musician musiclover musicman mustafa
mustang mustanggt mustangs mutant myangel mybabe mybaby mycat mychemicalromance mydog myfamily myhome myhouse mykids
mylife mylove myloves mymoney myname mypass mypassword mypc myriam mysecret mysecrets myself myspace mysql mystery
mystic mystical mystique mywife myworld nachos nadal nadia nadine nails nairobi naked namaste name nameless nancy
naomi napoleon napoli napster narnia naruto narutouzumaki nas nasa nascar nascimento nash nashville nasty nastya
natacha natalia natalie nataly natasha nathalie nathan nathaniel national nationals native natural nature naughty
navigation navigator navy navyseal nebraska nebula necromancer needforspeed neha neighbor neil nelly nelson neo nepal
neptune nestor netflix netherlands nets network networks neutral neutron nevada neveragain neverdie neverland
nevermind nevermore newcastle newdelhi newhampshire newjersey newlife newmexico neworleans newpass newpassword newport
newstart newton newuser newworld newyear newyork newyorkcity newzealand neymar nice nicegirl niceguy nicholas nick
nickelback nickjonas nicky nicola nicolas nicole nicolette nigel nigeria night nightfall nighthawk nighthawks
nightlife nightmare nightrider nightshade nighttime nightwing nightwish nightwolf nikhil nikita nikki nikolai nimda
nimrod nin nina nineinchnails niners ninja ninjas nintendo nipple nipples nirvana nissan nitro nixon noah nobody
nobodyknows nocturnal noel noelle noemi nofx nokia nolimit nomad nonsense noodle noodles nopass nopassword nora
norbert norma normal norman north northcarolina northdakota northern northside northstar northwest norway norwich
nosferatu notebook nothing notorious nottelling nottingham nounours novelty november nowayout nowhere nsync nuclear
nugget nuggets number numberone numbers numbnuts numero nuria nurse nurses nursing nutella nutmeg nutter nvidia nyc
oakland oakley oasis obama object oblivion obsession obsidian ocean oceans octavia october octopus odin odyssey
oesterreich office offroad offshore offspring ohio oilers oklahoma okokok oldman oldschool oldsmobile oleg olga
oliveira oliver olivia olivier olya olympia olympiakos olympic olympics olympique olympus omar omega omicron one
oneandonly oneday onedirection onelife oneline onelove oneness onepiece onetwo onetwothree onion onions online only
onlyme onlyone onlyyou opal opel open openai openit opensesame opensesamestreet openup opera operation operator
opportunity optical optimist optimus optimusprime option oracle orange orangejuice oranges orangutan orca orchard
orchestra orchid orchids order ordinary oregon oreo oreos organic orgasm original orioles orion orlando ortiz osaka
oscar oslo osprey ostrich oswald ottawa otter otto outback outdoor outdoors outkast outlaw outlaws output outside
outsider ovechkin overdose overkill overlord override overwatch owen owl owls owner oxford oxygen ozone ozzy
ozzyosbourne pablito pablo pacers pacific package packers packrat pacman padme padres page paint paintball painter
painting pakistan palace paladin palermo palmeiras palmtree pamela panasonic panathinaikos pancake pancakes panda
pandabear pandas pangeran panic pantera panther panthers panties panzer paola paolo papa paparazzi papaya papayas
paper paperclip papers papillon parachute paradigm paradise paradox parallel paramore paranoia paranoid parasite
paratrooper parents paris parissaintgermain parker parking parol parola parrot partner partners party partygirl
partytime pascal pass pass4me pass4you passat passe passion passionate passme passphrase passport passw passwd
password password4me passwords passwort pasta pat patience patrice patricia patricio patrick patriot patriots patrizia
patrycja patryk pattern patterson patty paul paula paulina pauline paulmccartney paulo pavel pawel payday peace
peaceandlove peaceful peacelove peach peaches peacock peanut peanutbutter peanuts peanutty pear pearl pearljam pearls
pears pebbles pedro peekaboo pegasus peggy pele pelican pelota pencil pencils penelope penguin penguins penis
pennsylvania penny pentagon pentium people pepper peppermint pepperoni peppers pepsi pepsicola pepsimax pepsione percy
pereira perez perfect perfection performance perrito perry persephone person personal perth peru pervert peter
peterpan petersburg peterson petr petra petunia peugeot peyton pferd pferde phantom pharmacy phenix pheonix phil
philadelphia philip philipp philippe philippines phillies phillip philosophy phoenix photo photography photos
photoshop phyllis physical physics piano pianoman picard picasso piccolo pickle pickles picnic picture pictures pierre
pietro pig pigeon piggies piggy piglet pigs pikachu pilipinas pillow pilot pilots pimp pimpdaddy pimpin pimping
pinball pineapple pinetree pink pinkfloyd pinkgirl pinkie pinkpanther pinky pinoy pioneer piotr piotrek pipeline
pippen piranha pirate pirates piratesofthecaribbean pisces pistol pistons pitbull pitcher pittsburgh pixie pizza
pizzahut pizzaman pizzas placebo planet planets plastic platform platinum platypus playa playball playboy player
players playgirl playground playmate playstation playtime pleasant please pleaseletmein pleaseme pleasework pleasure
plum pluto plymouth pocket poetry pointer poirot poison pokemon poker pokerface poland polarbear polaris police
policeman polish polite political politics polly polo polska poncho ponies pontiac pony poodle pooh poohbear pooja
pookie pool poop poopy popcorn popeye popopo poppy popsicle popstar popular population porkchop porky porn porno
pornstar porsche portable portal porter portland porto portsmouth portugal portuguese poseidon positive possible
possum poster postgres postgresql potato potatoes potatohead potential potsmoker potter powell power powerful powermac
powerman powerpuff powerrangers powers pradeep prague praha praise prakash pray prayer preciosa precious precision
predator predators premium prescott presence president presidente presley pressure prestige preston pretty prettyboy
prettygirl prevail price pride priest prime primrose primus prince princes princesa princess princessa princesse
princeton principal pringles print printer priscilla prisoner private privet priya priyanka problem process processor
prod prodigy production professional professor profile profit program programmer programming progress project
prometheus promise prophet prospect prosper prosperity protect protected prototype provider proxy przemek psv psycho
psychology public puddin pudding puddles puertorico pulsar puma pumas pumpkin pumpkinpie pumpkins punch punisher punk
punkrock punkrocker puppet puppies puppy puppylove purple purplehaze purplerain purpose pussies pussy pussycat putri
pyramid python pythons qazwsx quake qualcomm quality quantum quarter quasar quattro quebec queen queenbee queenie
queens quentin query quest question quicksilver quiet qwert qwerty qwertyui qwertz rabbit rabbits raccoon race racecar
racer races raceway rachael rachel racing radeon radiation radical radio radioactive radiohead rafael rafaela rafal
ragazza rage rageagainst ragnarok rahul raiden raider raiders railroad railway rainbow rainbowdash rainbows raindrop
raindrops rainfall rainman rainyday raj rajesh rajkumar rakesh ralph rambo ramesh ramirez rammstein ramon ramona
ramones ramos rampage ramrod rams ramsey rancid randall random randy ranger rangerover rangers rangersfc raphael
rapper raptor raptors rapture raquel rascal raspberry rasta rastafari rastaman rat ratman rats rattlesnake raul ravage
raven ravens ravi ravioli ray raymond razor razorback razorbacks reader readonly reagan reality really realmadrid
reaper rebecca rebekah rebel rebellion rebels rebirth recall receiver reckless record recovery recruit red redalert
redbaron redbull reddevil reddevils reddit reddog redfish redhat redhead redhot redhotchilipeppers redis redlight
redline redman redneck redrider redrose redrum reds redskin redskins redsox redstar redwine redwings redwood reebok
reed reefer reflection reflex refresh reggae regina reginald regulator reina reinhard rejoice relax release religion
rem remember rememberit rememberme remington remote renata renate renato renault rene renee renegade renegades repair
replay republic republican rescue research reset resident residentevil resistance resort respect response restart
restless result retire retired retriever retro return revenge reverse revival revolution revolver reward rex reyes
rhapsody rhbcnbyf rhcp rhino rhinos rhodeisland rhonda rhythm ribbon ribeiro ricardo riccardo rich richard richardson
richie richman rick ricky rider riders rifle rihanna ringo ripken ripper ripple riptide risky rita ritual rivendell
river rivera riverplate riverrat rivers riverside road roadkill roadking roadrunner roadster rob robbie robert roberta
roberto robertson robin robinhood robins roblox robocop robot robotech robots rocco rocha rock rockandroll rockband
rocker rockers rocket rocketman rockets rockford rockhard rockhopper rockies rocknroll rockon rockport rockstar rocky
rockyou rodman rodney rodolfo rodrigo rodrigues rodriguez roger rogers rogue rohit roland rolando rolex roller
rollercoaster rolling rollingstones rollsroyce rolltide roma romain roman romance romania romantic romeo romero ron
ronald ronaldinho ronaldo ronnie rooney roosevelt rooster root rootbeer rosa rosalie rosalind rosanna rose rosebud
rosemary roses rosewood rosie ross rotterdam rottweiler rough roulette roundup route66 router rover roxana roxane
roxanne roxy roy royal royals royalty ruben ruby rudolf rudolph rudy ruffles rugby rugrats ruiz runaway runescape
runner runners running russell russia russian rusty ruth ryan saab sabbath sabina sabine sabres sabrina sachin
sacramento safari safe safety sagittarius saibaba saigon sailboat sailing sailor sailormoon saint saints sakura salad
salamander salasana sales salesman sally salmon salomon saloon salsa salt salty salvador salvation salvatore sam
samanta samantha samir sammy sampras samson samsung samuel samuels samurai samus sanandreas sanantonio sanchez sandals
sandbox sandeep sanders sandiego sandman sandra sandrine sandro sandwich sandy sanfrancisco sanity sanjay santa
santaclaus santana santiago santos santosh saopaulo sapphire sara sarah sarita saruman sascha sasha sasuke
sasukeuchiha satan satanic satisfaction saturday saturn saudade sauron sausage savage savannah saveme savior saviour
saxophone sayang sayangku scandal scanner scarecrow scarface scarlet schalke schatz schatzi schmetterling schnapps
schnucki school schoolbus schools schooner schumacher schweiz science scientist scooby scoobydo scoobydoo scooter
scorpio scorpion scorpions scotland scott scottish scotty scout scouts scrabble scrapper scratch scream screamer screw
screwdriver script scrooge scruffy scully sculpture seabass seadoo seagull seahawks seahorse seal seamus sean search
seashell seaside season seasons seattle sebastian sebastiano sebastien second secret secretagent secreto secrets
secure secured security sega segredo select selena seminole seminoles semperfi senators senha senior seniors sensation
sensitive sentinel sentra seoul sephiroth september septembre serbia serena serenity serge sergeant sergei sergey
sergio server servers service services sesame session seth setup seven sevens seventeen seventy sevilla sex sexpistols
sexsexsex sexual sexy sexybaby sexyback sexybitch sexyboy sexygirl sexylady sexymama sexything shadow shadowfax
shadowman shadows shady shakespear shakespeare shakira shalom shaman shamrock shanghai shannon shaolin shaq shaquille
sharingan shark sharks sharon sharpshooter shaun shawn shazam sheep sheffield sheila shelby sheldon shell shelley
shelly shelter shepherd sheriff sherlock sherlockholmes sherry shevchenko shield shinobi shiny ship shipping ships
shirley shit shitface shithead shiva shivani shock shocker shogun shooter shooting shopping short shortcake shorty
shotgun showtime shrimp shutdown shuttle shutup shweta sidekick sidewalk sidney siemens sierra sifre sigma signin
signup silence silent silicone silly silva silver silverado silverfox silversurfer silvia silvio simcity simon simona
simone simple simpleplan simplicity simply simpson simpsons sims sinatra singapore singer singing sinister sinner
sirena sirius sister sisters sith sixers sixtynine skate skateboard skateboarding skateboards skater skating skeleton
skeletor sketch ski skier skiing skillet skinhead skinny skipper skippy skittles skull skulls skunk skydive skydiver
skyhawk skylark skylight skyline skyliner skynet skynyrd skype skyrim skyscraper skywalker slacker slammer slapshot
slash slayer sleep sleeper sleeping sleepy slick slider slim slimjim slimshady slinky slipknot slipper slippers
slippery slonce sloneczko slovakia slovenia slowhand slut sluts slytherin small smart smartass smarties smartone smash
smasher smashingpumpkins smelly smile smiles smiley smiling smirnoff smith smithwesson smitty smoke smokepot smoker
smokeweed smokey smokin smoking smooth smoothie smudge snake snakes snapchat snape snapper snapple sneakers sneha
snickers sniffer sniper snoop snoopdog snoopdogg snoopy snow snowball snowbird snowboard snowboarder snowboarding
snowfall snowflake snowman snowwhite snowy soad soccer soccerball soccerboy soccergirl soccerstar social socks sofia
sofie softail softball software solar soldier soldiers soleil solidsnake solitaire solitude solomon solution somebody
someday someone somerset something somewhere sommer sonata song songbird songs sonia sonic sonics sonicx sonja sonne
sonnenblume sonnenschein sony sonya sooners sophia sophie soprano sopranos sorella sorrow sosa soul soulmate sound
soundgarden soup source south southafrica southampton southcarolina southern southpark southpaw southside southwest
souza sovereign space spaceball spacebar spacejam spaceman spaceship spaghetti spain spaniel spanish spank spanker
spanky sparkle sparkles sparky sparrow spartacus spartak spartan spartans spawn spears special specialist spectre
spectrum speech speed speeder speedracer speedster speedway speedy spencer spice spicegirl spicegirls spicy spider
spiderman spiders spidey spielen spike spikes spikey spinach spinner spiral spirit spiritual spitfire splash splinter
spock spongebob spongebobsquarepants spooky spoon sporting sports sportster spotify spring springer springfield
springsteen springtime sprinkle sprint sprinter sprite spurs squadron squall square squarepants squash squeak squid
squidward squirrel squirrels squirt squirtle srilanka stacey stacy stage staging stairway stairwaytoheaven stalin
stalingrad stalker stallion stamina stan standard standing stanford stanley star starbright starbuck starbucks
starburst starchild starcraft stardust starfire starfish stargate stargazer stargirl starlight starlite starman stars
starship start starter starting startrek startup starwar starwars starwarz station statistics status steak stealth
steam steamer steel steelers steelman stefan stefania stefanie stefano steffi stella stellina stepbystep stephane
stephanie stephen stereo sterling steve steven stevie stewart stewie stick sticks sticky stinger stink stinker stinky
stlouis stockholm stocks stone stonecold stoned stoner stones stoney storage storm stormrider stormy straight strange
stranger strangers stratocaster strawberries strawberry stream street streetfighter streets strength stress stretch
strider strike striker string stripper strong stronger stronghold structure struggle stuart student students studio
study stunner stupid stuttgart style stylus suarez subaru sublime submarine submit subscribe suburban subway subzero
success successful sucker suckit suckme suckmydick sucks sue sugar sugarbaby sugarbear sugarbush sugarfree sugarplum
suicidal suicide sultan sum41 summer summertime summit sun sunbeam sunburn sundance sunday sunderland sundown sunfire
sunflower sunflowers sunil sunkist sunlight sunny sunnyday sunray sunrise suns sunset sunsets sunshine super
superadmin superbad superboy supercool superdog superfly supergirl superhero superior superman supermario supermen
supernatural supernova supersonic superstar superuser supervisor support supporter supra supreme suresh surf surfboard
surfer surfing surprise surrender survival survive survivor susan susana susanne sushi susi susie suspect suzanne
suzie suzuki suzy sven svetlana swallow swan swansea sweden swedish sweet sweetbaby sweetdreams sweetgirl sweetheart
sweetie sweetlove sweetness sweetpea sweets sweetwater sweety swift swim swimmer swimming swimteam swinger swiss
switch switzerland sword swordfish sydney sylvain sylvester sylvia sylvie symmetry sympathy symphony syndicate synergy
syracuse sysadmin system systemofadown systems szymon tabitha table taco tacobell tacos tactical taekwondo tahoe
taiwan talented talisman tamara tammy tampa tango tania tanja tank tanker tanner tanya tara tarantula target tarheel
tarheels tarzan tasmania tatiana tattoo tattoos tatyana taurus taxi taxman taylor taylorswift taz tazmania tea teacher
teachers teadoro teamo teamomucho teamwork teardrop teardrops teatime technical technics techno technology ted teddy
teddybear teddybears teenager tehran tekiero tekken telecom telegram telephone television telnet temp tempest temple
temporal temporary temppass temptation tenacious tender tennessee tennis tennisball tent tequiero tequieromucho
tequila terence teresa teresita terminal terminator terrapin terri terrible terrier terrific terrorist terry tesla
tesoro tess tessa test testament tester testing testme testpass testpassword testuser tetris teufel texans texas
thailand thankgod thanks thankyou theater thebeatles thebest theboss theboys thecat thecrow thecure thedog thedoors
thedude theend theforce thegame thegreat theking thelord theman themaster thematrix theo theodore theone theprodigy
therapy theresa therese therock thesame theshadow thesims thesun thetruth theused thewho thibault thief thierry
thinker thinking thinkpad third thirteen thirty thisisapassword thisisit thisisme thisismypassword thispassword thomas
thompson thor thoughts thousand thrall threesome thriller throne thug thuglife thugs thumper thunder thunderbird
thunderbolt thundercat thundercats thunderdome thunderstorm thursday tiamo tiamotanto ticket tiesto tiffany tiger
tigercat tigerlily tigers tigerwoods tigger tigre tigress tiktok tim timber timberlake timberwolves timeless timeout
timewarp timmy timoteo timothy tina tinker tinkerbell titan titanic titanium titans titleist titties titty toad toast
toaster toby today todd toffee together token tokiohotel tokyo tolerance tolkien tolstoy tom tomahawk tomandjerry
tomas tomasz tomato tomatoes tombraider tombstone tomcat tomek tomjerry tommy tomorrow tonight tony tonymontana
toocool toohot tool toolbox toolman tools toomuch toor topaz topcat topdog topgun topless topsecret torino tornado
toronto torpedo torres tortilla tortoise toshiba total totoro tottenham totti touch touchdown touchstone tough
toughguy toulouse tourist tower towers town toyota trabzonspor trace tracer tracey tracker trackstar traction tractor
tracy trader tradition traffic tragedy trailer train training trains traitor trance tranquil transam transfer
transport trapper trauma travel traveler traveller travis treasure treble treefrog treehouse trees treetop trekker
trekking trespass trevor trex trfnthbyf trial tribal tribute trickster tricky trident trigger trinidad trinity triple
tripleh triplets tristan triton triumph trojan trojans trombone trooper tropical trouble troublemaker troubles trout
troy truck trucker trucks trueblue truelies truelove truffle trump trumpet trust trustgod trusting trustinme trustme
trustno trustnoone truth tryagain trytoguess tsunami tucker tucson tuesday tulip tulips tuna tunisia tupac turbo
turkey turkeys turkish turkiye turquoise turtle turtles tuxedo twat tweety tweetybird tweetypie twelve twenty twilight
twinkle twins twisted twister twitter twix twosome tyler typewriter typhoon tyrannosaurus tyrant tyrone tyson ubuntu
ukraine ulrich ultima ultimate ultimo ultra umbrella uncharted uncle undead undercover underdog underground undertaker
underwater underworld unforgettable unforgiven unhappy unicorn unicorns uniform union unique united unitedstates unity
universal universe university unknown unleashed unlimited unlock uno unreal unstoppable untitled update upgrade upload
uranus ursula usa user username users usher usmc utah utopia uzumaki vacances vacation vacuum vader vagina vagrant
valencia valentin valentina valentine valentino valeria valerie valery valhalla valiant valkyrie valley valor valuable
vampire vampires vancouver vandal vanessa vangogh vanguard vanhalen vanilla vanity vanya vasco vasquez vegas vegeta
vegetable vegetarian velocity velvet vendetta venezuela vengeance venom venture venus vera verbatim verify veritas
vermont verona veronica veronika veronique vertical veteran vfhbyf vfrcbv vfvfgfgf viagra vicecity vicky victim victor
victoria victory video videogame vienna vietnam vigilante vijay viking vikings vikram viktor viktoria villa village
villain vincent vincenzo vinod vintage viola violence violet violeta violets violin viper vipers virgen virgin
virginia virgo virtual virtue virus vishal vision visitor visual vitamin vivaldi vivian viviana vivien vixen vladimir
vladislav vmware vodka voice volcano voldemort volkswagen volleyball volume volunteer volunteers volvo voodoo vortex
voyage voyager vulcan vulture vwbeetle wachtwoord wade waffle waffles waiting wales walker walking wallace walnut
walrus walter wanda wanderer wanker wanted war warcraft ward warehouse warhammer warlock warlord warning warren
warrior warriors warszawa warthog wasabi washer washington waste watch watchdog watcher watchman water waterboy
waterfall waterfalls waterloo waterman watermelon waterpolo waters watever watson wave waves wayne weapon weasel
weather web webadmin webmaster website webster wedding wednesday weed weedman weekend weezer weezy weirdo welcome
welcomeback welcomehome welcomeme welcometo welder wellington wellness welsh wendy werder werewolf wesley west
westcoast western westham westlife weston westside westvirginia westwood wetpussy whale whales whatever whatisit
whatisthepassword whatisthis whatsapp whatsup whatthefuck wheels whiskey whisky whisper whistle whistler white
whitedog whitehouse whiterose whitesnake whitesox whitestar whitetiger whitewolf whitney whoami whore wicked wideopen
widget wife wifi wikipedia wild wildcat wildcats wildchild wildfire wildlife wildman wildthing wildwood wilfred
wilhelm will willem william williams willie willow willy wilson winchester windmill window windows windsor windsurf
windy wine winery wingman wings winner winners winnie winniethepooh winning winnipeg winston winter wintertime
wireless wisconsin wisdom wishbone wishes witch witchcraft witches without wizard wizards wojciech wojtek wolf wolfdog
wolfgang wolfie wolfman wolfpack wolverin wolverine wolverines wolves woman wombat women wonder wonderboy wonderful
wonderland wonders wonderwoman wood woodland woodstock woody word wordpass wordpress wordup working workout
workstation world worldcup worldofwarcraft worldwide worship worst wraith wrangler wrench wrestle wrestler wrestling
write writer wtf wutang wutangclan wyoming xanadu xander xavi xavier xbox xfiles xmas xtreme yacht yahoo yahoomail
yale yamaha yankee yankees yannick yasmin yasmine yayang yellow yellowstone yesterday yesyesyes yfcntymrf yfnfif yoda
yogibear yolanda yolo yorkshire yoshi youandme youllneverwalkalone youngblood younggun yourmom yourself youth youtube
yummy yusuf yvette yvonne zabbix zachary zack zagreb zainab zaragoza zebra zelda zen zenit zeppelin zero zerocool zeus
zidane zigzag zipper zodiac zoe zoey zombie zombies zoro zurich zuzanna zxcv zxcvb zxcvbn zxcvbnm
`;
